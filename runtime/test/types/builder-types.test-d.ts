/** Tests that the builders have the types of TypeBox's builders, which they replace. */
import * as TypeBox from 'typebox';
import { expectTypeOf, test } from 'vitest';
import * as Own from '../../src/typebox.ts';

type SameAsTypeBox = Exclude<
  keyof typeof Own,
  'Object' | 'Partial' | 'Required' | 'Pick' | 'Omit' | 'KeyOf' | 'Record'
>;

test("the builders have the types of TypeBox's builders", () => {
  expectTypeOf<Pick<typeof Own, SameAsTypeBox>>().toEqualTypeOf<
    Pick<typeof TypeBox, SameAsTypeBox>
  >();
  expectTypeOf(Own.Object).toEqualTypeOf(TypeBox.Object);
});

test("the builders of objects return the types of TypeBox's builders", () => {
  const person = Own.Object({
    name: Own.Readonly(Own.String()),
    age: Own.Optional(Own.Integer()),
    tags: Own.Array(Own.Union([Own.Literal('a'), Own.Null()])),
  });
  expectTypeOf(Own.Partial(person)).toEqualTypeOf(TypeBox.Partial(person));
  expectTypeOf(Own.Required(person)).toEqualTypeOf(TypeBox.Required(person));
  expectTypeOf(Own.Pick(person, ['age'])).toEqualTypeOf(TypeBox.Pick(person, ['age']));
  expectTypeOf(Own.Omit(person, ['age'])).toEqualTypeOf(TypeBox.Omit(person, ['age']));
  expectTypeOf(Own.KeyOf(person)).toEqualTypeOf(TypeBox.KeyOf(person));
  const names = Own.Enum(['name', 'age']);
  expectTypeOf(Own.Pick(person, names)).toEqualTypeOf(TypeBox.Pick(person, names));
  expectTypeOf(Own.Omit(person, names)).toEqualTypeOf(TypeBox.Omit(person, names));
  expectTypeOf(Own.Record(names, person)).toEqualTypeOf(TypeBox.Record(names, person));
  expectTypeOf(Own.Record(Own.String(), person)).toEqualTypeOf(
    TypeBox.Record(Own.String(), person),
  );
  expectTypeOf(Own.Record(Own.Integer(), person)).toEqualTypeOf(
    TypeBox.Record(Own.Integer(), person),
  );
  expectTypeOf<Own.Static<ReturnType<typeof Own.Partial<typeof person>>>>().toEqualTypeOf<{
    readonly name?: string;
    age?: number;
    tags?: ('a' | null)[];
  }>();
});

test('a type that TypeBox computes is refused', () => {
  const union = Own.Union([Own.Object({ a: Own.Null() }), Own.Object({ b: Own.Null() })]);
  // @ts-expect-error a union is not the schema of an object
  Own.Partial(union);
  // @ts-expect-error a text lists no names
  Own.Pick(Own.Object({ a: Own.Null() }), Own.String());
  // @ts-expect-error an object is not a key
  Own.Record(Own.Object({}), Own.Null());
});
