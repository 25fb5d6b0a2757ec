import { keywordProblem, nearest } from "./schemas.js";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
// src/lint/tree.js
/** Reads the syntax tree, independently of Durable Objects. */
const isClass = (node) => /^Class(Declaration|Expression)$/.test(node?.type);
/** Returns whether a node is a function with a body. An overload signature has no body. */
const isFunction = (node) => /Function/.test(node?.type) && Boolean(node.body);
/**
* Returns whether a member of a class is a field. Remote callers cannot reach a function in a field, because it belongs
* to one instance.
*/
const isFieldMember = ({ type }) => /Property/.test(type);
/**
* Returns whether a node has `return` and `await` statements of its own. A search that skips such nodes finds only the
* statements of the code around them.
*/
const isInner = (node) => isClass(node) || isFunction(node);
/** Returns the name under which its module exports a value. For an import this is the name before `as`. */
function exportedName(node, source) {
	return nameOf(node.type === "Identifier" && definition(node, source)?.node.imported || node);
}
/** Yields every node below `node`, without the nodes that `skip` selects and the nodes below them. */
function* descendants(node, source, skip = isClass) {
	for (const key of source.visitorKeys[node.type] ?? []) for (const child of [node[key]].flat()) {
		if (!child || skip(child)) continue;
		yield child;
		yield* descendants(child, source, skip);
	}
}
/** Returns whether a node has its own `this`, so that no `this` inside refers to the class. */
const rebindsThis = (node) => isClass(node) || node.type.startsWith("Function");
/** Yields the nodes above `node`, nearest first. */
function* ancestors(node) {
	for (let up = node.parent; up; up = up.parent) yield up;
}
/** Returns whether the text of one node lies within the text of another node. */
const isWithin = (inner, outer) => outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
/** Returns the expression inside `(x as T)!`, `x satisfies T`, `x?.y`. */
function unwrapped(node) {
	while (/^(TS(As|NonNull|Satisfies)|Chain)/.test(node?.type)) node = node.expression;
	return node;
}
/** Returns the outermost access around a node, for example `x.y[z]` around `x`. */
function outermostAccess(node) {
	while (node.parent.object === node || /^(TS(As|NonNull)|Chain)/.test(node.parent.type)) node = node.parent;
	return node;
}
/**
* Returns the name in an access or a property: `x` of `a.x` and of `x: 1`, `#x` of `a.#x`; undefined for a computed
* name.
*/
function nameOf(node) {
	const key = node.property ?? node.key ?? node;
	if (key.type === "PrivateIdentifier") return `#${key.name}`;
	if (key.type === "Literal") return String(key.value);
	return node.computed ? void 0 : key.name;
}
/** Returns the variable that an identifier names; undefined for a global. */
function variableOf(identifier, source) {
	for (let scope = source.getScope(identifier); scope; scope = scope.upper) {
		const variable = scope.set.get(identifier.name);
		if (variable) return variable;
	}
}
/** Returns the definition of an identifier; undefined for a global. */
const definition = (identifier, source) => variableOf(identifier, source)?.defs[0];
/** Returns the value that an identifier's variable was declared with. Any other expression is its own value. */
function valueOf(node, source, depth = 0) {
	const expression = unwrapped(node);
	if (isFrozen(expression)) return valueOf(expression.arguments[0], source, depth);
	if (expression?.type !== "Identifier" || depth > 9) return expression;
	const declared = definition(expression, source)?.node;
	if (isClass(declared) || declared?.type === "FunctionDeclaration") return declared;
	return declared?.type === "VariableDeclarator" && declared.id.type === "Identifier" && declared.init ? valueOf(declared.init, source, depth + 1) : expression;
}
/** Returns whether a node is `Object.freeze(x)`, which has the value `x`. */
function isFrozen(node) {
	const callee = node?.type === "CallExpression" && node.callee;
	return callee && nameOf(callee) === "freeze" && callee.object?.name === "Object";
}
/** Returns the text of a type annotation; empty if there is none. */
function typeText(node, source) {
	const type = node?.typeAnnotation ?? node?.returnType;
	return type ? source.getText(type) : "";
}
/**
* Returns a function of a node and an object that caches its results. The result is undefined for a question that leads
* back to itself, as in `this.a = this.b; this.b = this.a`.
*/
function memoized(find) {
	const known = /* @__PURE__ */ new WeakMap();
	return (expression, object) => {
		const node = unwrapped(expression);
		if (!node) return void 0;
		if (!known.has(object)) known.set(object, /* @__PURE__ */ new WeakMap());
		const results = known.get(object);
		if (!results.has(node)) {
			results.set(node, void 0);
			results.set(node, find(node, object));
		}
		return results.get(node);
	};
}
// src/lint/classes/storage.js
/** Finds the expressions of a Durable Object class that are its `ctx`, storage or synchronous APIs. */
const KIND_OF_TYPE = [
	[/\bDurableObjectState\b/, "ctx"],
	[/\bDurableObjectStorage\b/, "storage"],
	[/\b(SqlStorage|SyncKvStorage)\b/, "sync"]
];
/** Returns whether a node is `this.x`. A variable that holds `this` counts as `this`. */
function isField(node, object) {
	const member = unwrapped(node);
	return member?.type === "MemberExpression" && kindOf(member.object, object) === "this";
}
/**
* Returns the kind of an expression: `'this'`, `'ctx'`, `'storage'`, `'sync'` (`storage.kv`, `storage.sql`), or
* undefined.
*/
const kindOf = memoized((node, object) => {
	if (node.type === "ThisExpression") return "this";
	if (node.type === "MemberExpression") return kindOfMember(kindOf(node.object, object), nameOf(node), object);
	return node.type === "Identifier" ? kindOfVariable(node, object) : void 0;
});
function kindOfMember(kind, name, object) {
	if (kind === "this") {
		for (const { text, value } of object.fields.get(name) ?? []) {
			const held = value ? kindOf(value, object) : kindOfType(text);
			if (held) return held;
		}
		return /^_?(ctx|state)$/.test(name) && !object.fields.has(name) ? "ctx" : void 0;
	}
	if (kind === "ctx") return name === "storage" ? "storage" : void 0;
	return kind === "storage" && /^(kv|sql)$/.test(name) ? "sync" : void 0;
}
function kindOfVariable(identifier, object) {
	const found = definition(identifier, object.source);
	if (!found) return void 0;
	const typed = kindOfType(typeText(found.name, object.source));
	if (typed) return typed;
	if (found.type === "Parameter") return kindOfParameter(found, object);
	if (found.node.type !== "VariableDeclarator") return void 0;
	const path = [];
	for (let node = found.name; node !== found.node; node = node.parent) if (node.type === "Property") path.unshift(nameOf(node));
	return path.reduce((kind, name) => kindOfMember(kind, name, object), kindOf(found.node.init, object));
}
/** Returns the kind of the constructor's first parameter, or of the argument of a called function. */
function kindOfParameter({ name, node }, object) {
	const [first] = node.params;
	if (node.parent.kind === "constructor" && (first.left ?? first) === name) return "ctx";
	for (const given of object.given.get(name) ?? []) {
		const kind = kindOf(given, object);
		if (kind) return kind;
	}
}
const kindOfType = (type) => KIND_OF_TYPE.find(([pattern]) => pattern.test(type))?.[1];
// src/lint/classes/called-functions.js
/** The functions of a file that a Durable Object class calls. They count as part of the class. */
/**
* Returns the functions of the file that a class calls, in the order in which they are reached. `given` has, for each
* parameter of these functions and of the methods, the expressions that calls pass.
*/
function calledFunctions(node, source, methods) {
	const functions = /* @__PURE__ */ new Set();
	const given = /* @__PURE__ */ new Map();
	const read = (root) => {
		for (const call of descendants(root, source)) {
			if (call.type !== "CallExpression") continue;
			const found = functionOf(call.callee, source);
			(found ?? methodOf(unwrapped(call.callee), methods))?.params.forEach((parameter, at) => {
				const name = parameter.left ?? parameter;
				if (call.arguments[at]) given.set(name, [...given.get(name) ?? [], call.arguments[at]]);
			});
			if (!found || functions.has(found) || isWithin(found, node)) continue;
			functions.add(found);
			read(found);
		}
	};
	read(node.body);
	return {
		functions: [...functions],
		given
	};
}
function methodOf(callee, methods) {
	return callee.type === "MemberExpression" && unwrapped(callee.object).type === "ThisExpression" ? unwrapped(methods.get(nameOf(callee))?.value) : void 0;
}
/** Yields every node of a class and of the functions that it calls. */
function* codeOf({ node, functions, source }) {
	for (const root of [node.body, ...functions]) yield* descendants(root, source);
}
/** Returns the function of the file that an identifier names. */
function functionOf(callee, source) {
	if (callee.type !== "Identifier") return void 0;
	const declared = variableOf(callee, source)?.defs[0]?.node;
	const value = declared?.type === "VariableDeclarator" ? declared.init : declared;
	return isFunction(value) && !isClass(value) ? value : void 0;
}
// src/lint/classes/toml.js
/**
* Reads TOML as far as Wrangler's configurations need it: tables, keys, strings, lists and inline tables. Numbers, dates
* and escapes in strings stay as they are written.
*/
const STRING = /"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/;
const TOKEN = new RegExp(String.raw`${STRING.source}|#.*|\n|[^\S\n]+|[[\]{}=,.]|[^\s[\]{}=,.#"']+`, "g");
const BLANK = /^(?:#.*|[^\S\n]+)$/;
/**
* @param text
* @returns {object}
* @throws if the text is not valid, or has a form that this reader does not know
*/
function valueOfToml(text) {
	const tokens = (text.match(TOKEN) ?? []).filter((token) => !BLANK.test(token));
	const root = {};
	let table = root;
	let at = 0;
	const skip = (token) => {
		if (tokens[at] !== token) throw new SyntaxError(`Expected ${token}, found ${tokens[at]}`);
		at += 1;
	};
	const skipLines = () => {
		while (tokens[at] === "\n") at += 1;
	};
	const readKey = () => {
		const path = [plain(tokens[at++])];
		while (tokens[at] === ".") {
			at += 1;
			path.push(plain(tokens[at++]));
		}
		return path;
	};
	const readPair = (into) => {
		const path = readKey();
		skip("=");
		tableAt(into, path.slice(0, -1))[path.at(-1)] = readValue();
	};
	const readItems = (close, readItem) => {
		at += 1;
		for (skipLines(); tokens[at] !== close; skipLines()) {
			readItem();
			skipLines();
			if (tokens[at] !== close) skip(",");
		}
		at += 1;
	};
	const readValue = () => {
		if (tokens[at] === "[") {
			const list = [];
			readItems("]", () => list.push(readValue()));
			return list;
		}
		if (tokens[at] === "{") {
			const inline = {};
			readItems("}", () => readPair(inline));
			return inline;
		}
		if (STRING.test(tokens[at])) return plain(tokens[at++]);
		let other = "";
		while (at < tokens.length && !/^[\n,\]}]$/.test(tokens[at])) other += tokens[at++];
		if (!other) throw new SyntaxError(`Expected a value, found ${tokens[at]}`);
		return other;
	};
	const readHeader = () => {
		skip("[");
		const isList = tokens[at] === "[";
		if (isList) skip("[");
		const path = readKey();
		if (isList) skip("]");
		skip("]");
		if (!isList) return tableAt(root, path);
		const list = tableAt(root, path.slice(0, -1))[path.at(-1)] ??= [];
		list.push({});
		return list.at(-1);
	};
	for (skipLines(); at < tokens.length; skipLines()) {
		if (tokens[at] === "[") table = readHeader();
		else readPair(table);
		if (at < tokens.length) skip("\n");
	}
	return root;
}
/** Returns the text of a key or a string, without its quotes. */
function plain(token) {
	const quote = /^(?:"""|'''|"|')/.exec(token ?? "\n")?.[0].length ?? 0;
	if (!quote && !/^[\w-]+$/.test(token)) throw new SyntaxError(`Expected a key, found ${token}`);
	return token.slice(quote, token.length - quote);
}
/** Returns the table at a path, or the last table of a list of tables. Creates a table that does not exist. */
function tableAt(root, path) {
	return path.reduce((table, key) => {
		const found = table[key] ??= {};
		return Array.isArray(found) ? found.at(-1) : found;
	}, root);
}
// src/lint/classes/wrangler.js
/**
* Reads the Durable Object classes in the Wrangler configurations of a file's project. A configuration declares its
* classes by `exports` or by `migrations`, at the top and in environments, which inherit both and no bindings.
*/
/** The names of configurations, in the order in which wrangler looks for them. */
const NAMES = [
	"wrangler.json",
	"wrangler.jsonc",
	"wrangler.toml"
];
/**
* Matches the parts of JSONC that JSON does not have: comments, and commas before a bracket. It also matches strings,
* which are kept.
*/
const COMMENT = /("(?:\\.|[^"\\])*")|\/\/.*|\/\*[^]*?\*\//g;
const LAST_COMMA = /("(?:\\.|[^"\\])*")|,(?=\s*[\]}])/g;
/** The states in which `exports` has a class that can be called. */
const LIVE = /* @__PURE__ */ new Set([
	void 0,
	"created",
	"expecting-transfer"
]);
/**
* Returns the nearest configuration above a file, and the configuration of the tests beside it. Both are read again for
* each file, because an editor goes on using this module after a configuration has changed.
*/
function configsOf(file) {
	for (let folder = dirname(file);; folder = dirname(folder)) {
		const own = readConfig(folder);
		if (own) return [own, readConfig(join(folder, "test"))].filter(Boolean);
		if (dirname(folder) === folder) return [];
	}
}
function readConfig(folder) {
	const name = NAMES.find((candidate) => existsSync(join(folder, candidate)));
	if (!name) return void 0;
	const text = readFileSync(join(folder, name), "utf8").replace(/^\uFEFF/, "");
	return {
		name: basename(folder) === "test" ? `test/${name}` : name,
		text,
		scopes: scopesOf(parsed(name, text))
	};
}
/**
* Returns the content of a configuration. A configuration that cannot be read counts as missing, because wrangler
* reports its problem.
*/
function parsed(name, text) {
	try {
		if (name.endsWith(".toml")) return valueOfToml(text);
		return tableOf(JSON.parse(text.replace(COMMENT, "$1").replace(LAST_COMMA, "$1")));
	} catch {
		return {};
	}
}
/** Returns the classes at the top of a configuration, and the classes of each environment. */
function scopesOf(top) {
	const environments = Object.entries(tableOf(top.env)).map(([name, value]) => {
		const own = tableOf(value);
		const { migrations = top.migrations, exports = top.exports } = own;
		return classesOf({
			durable_objects: own.durable_objects,
			exports,
			migrations
		}, name);
	});
	return [classesOf(top), ...environments];
}
/**
* `storage` maps each declared class to whether it uses SQLite; undefined if that is not known. `form` is the name of
* the field that declares the classes. It is undefined in a configuration that may bind classes which an older command
* created.
*/
function classesOf({ durable_objects: objects, exports, migrations }, environment) {
	const bound = listOf(tableOf(objects).bindings).filter(({ script_name: worker }) => worker === void 0).map(({ class_name: name }) => name);
	const exported = Object.entries(tableOf(exports)).filter(([, declared]) => tableOf(declared).type === "durable-object");
	if (exported.length > 0) {
		const storage = exported.filter(([, { state }]) => LIVE.has(state)).map(([name, declared]) => [name, declared.storage !== "legacy-kv"]);
		return {
			environment,
			bound,
			form: "exports",
			storage: new Map(storage)
		};
	}
	return {
		environment,
		bound,
		form: Array.isArray(migrations) ? "migrations" : void 0,
		storage: afterMigrations(listOf(migrations))
	};
}
function afterMigrations(migrations) {
	const storage = /* @__PURE__ */ new Map();
	for (const migration of migrations) {
		for (const name of namesIn(migration.deleted_classes)) storage.delete(name);
		for (const { from, to } of listOf(migration.renamed_classes)) {
			storage.set(to, storage.get(from));
			storage.delete(from);
		}
		for (const { to } of listOf(migration.transferred_classes)) storage.set(to, void 0);
		for (const name of namesIn(migration.new_classes)) storage.set(name, false);
		for (const name of namesIn(migration.new_sqlite_classes)) storage.set(name, true);
	}
	return storage;
}
/** Returns the tables in a list. */
function listOf(value) {
	return Array.isArray(value) ? value.map(tableOf) : [];
}
function namesIn(value) {
	return Array.isArray(value) ? value : [];
}
function tableOf(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
/**
* Returns the class whose storage has no SQLite, with the configuration that says so; undefined if there is none.
*
* @param names the names by which the Worker may export the class
*/
function keyValueClass(names, configs) {
	return classWhere(names, configs, (name, { storage }) => storage.get(name) === false);
}
/** Returns the class that a configuration binds but does not declare among others; undefined if there is none. */
function undeclaredClass(names, configs) {
	return classWhere(names, configs, (name, { bound, form, storage }) => form && bound.includes(name) && !storage.has(name));
}
/**
* Returns whether a class may have either storage: the configurations have other classes, of which some have no SQLite.
*
* @param names the names by which the Worker may export the class
*/
function hasUnknownStorage(names, configs) {
	const listing = configs.filter(({ scopes }) => scopes.some(({ bound, storage }) => bound.length > 0 || storage.size > 0));
	const isShown = ({ scopes, text }) => {
		const storages = new Set(scopes.flatMap(({ storage }) => [...storage.values()]));
		return storages.has(true) && !storages.has(false) || (text.match(/\w+/g) ?? []).some((word) => names.includes(word));
	};
	return listing.length > 0 && !listing.some(isShown);
}
function classWhere(names, configs, isWanted) {
	for (const { name: config, scopes } of configs) for (const scope of scopes) for (const name of names) if (isWanted(name, scope)) {
		const { bound, environment, form, storage } = scope;
		return {
			name,
			config,
			form,
			place: environment && ` in the environment ${environment}`,
			unbound: [...storage.keys()].filter((one) => !bound.includes(one))
		};
	}
}
// src/lint/classes/durable-objects.js
/** Finds the Durable Object classes of a file, with their members and contracts. */
/** Methods that the platform calls by name. */
const HANDLER$1 = /^(constructor|fetch|alarm|webSocket(Message|Close|Error))$/;
const found = /* @__PURE__ */ new WeakMap();
const isDurableByClass = /* @__PURE__ */ new WeakMap();
/** Returns the Durable Object classes of a file, found once per file. */
function durableObjects({ sourceCode: source, filename }) {
	if (!found.has(source.ast)) {
		const isWorthIt = /DurableObject|lumenizeRpcDO|\.storage\b/.test(source.text);
		found.set(source.ast, isWorthIt ? find(source, filename) : []);
	}
	return found.get(source.ast);
}
function find(source, filename) {
	const nodes = [...descendants(source.ast, source, () => false)];
	const contracts = contractsIn(nodes, source);
	const types = new Map(nodes.filter(({ type }) => /^(TS(Interface|TypeAlias)|Class)Declaration$/.test(type)).map((node) => [node.id?.name, node]));
	const classes = nodes.filter((node) => isClass(node) && (contracts.has(node) || isDurableClass(node, source)));
	const configs = classes.length > 0 ? configsOf(filename) : [];
	return classes.map((node) => {
		const members = membersOf(node, source);
		const called = calledFunctions(node, source, members.methods);
		const names = exportNames(node, nodes, source);
		return Object.assign(members, called, {
			node,
			source,
			types,
			contracts: contracts.get(node) ?? [],
			keyValue: keyValueClass(names, configs),
			undeclared: undeclaredClass(names, configs),
			hasUnknownStorage: hasUnknownStorage(names, configs)
		});
	});
}
/** Returns the classes that the file passes to `lumenizeRpcDO(Class, contract)`, with their contracts. */
function contractsIn(nodes, source) {
	const contracts = /* @__PURE__ */ new Map();
	for (const node of nodes) {
		if (node.type !== "CallExpression" || nameOf(node.callee) !== "lumenizeRpcDO") continue;
		const [target, contract] = node.arguments.map((argument) => valueOf(argument, source));
		if (isClass(target)) contracts.set(target, [...contracts.get(target) ?? [], contract]);
	}
	return contracts;
}
/**
* Returns the names by which the Worker may export a class: its own name, the names of classes that the file makes from
* it, such as `lumenizeRpcDO(Class, contract)`, and the names in exports such as `{ Class as Name }`.
*/
function exportNames(node, nodes, source) {
	const names = new Set(node.id && [node.id.name]);
	const isNamed = (part) => part === node || part.type === "Identifier" && names.has(part.name);
	for (const { type, id, init, local, exported } of nodes) {
		if (type === "VariableDeclarator" && init && [init, ...descendants(init, source, (part) => isClass(part) && part !== node)].some(isNamed)) names.add(id.name);
		if (exported && local && isNamed(local)) names.add(nameOf(exported));
	}
	return [...names].filter(Boolean);
}
function isDurableClass(node, source) {
	if (!isDurableByClass.has(node)) {
		isDurableByClass.set(node, false);
		isDurableByClass.set(node, Boolean(showsDurableObject(node, source)));
	}
	return isDurableByClass.get(node);
}
function showsDurableObject(node, source) {
	const { superClass, body } = node;
	const named = (pattern) => body.body.find((member) => pattern.test(nameOf(member)));
	const isHandling = named(/^(fetch|alarm|webSocketMessage)$/);
	const [first] = named(/^constructor$/)?.value.params ?? [];
	return isDurable(superClass, source) || node.implements?.some(({ expression }) => nameOf(expression) === "DurableObject") || /\bDurableObjectState\b/.test(typeText(first?.parameter ?? first, source)) && (isHandling || superClass) || isHandling && !superClass && /^(state|ctx)$/.test(first?.name) && /\.(storage|blockConcurrencyWhile|acceptWebSocket)\b/.test(source.getText(node));
}
/** Returns whether an expression, used as a base, makes a class a Durable Object. */
function isDurable(expression, source) {
	const value = expression && valueOf(expression, source);
	if (isClass(value)) return isDurableClass(value, source);
	if (value?.type === "CallExpression") return nameOf(value.callee) === "lumenizeRpcDO" || value.arguments.some((argument) => isDurable(argument, source));
	return isPlatformBase(value, source);
}
/** Returns whether a value is `DurableObject` itself, under any imported name. */
function isPlatformBase(value, source) {
	return Boolean(value) && exportedName(value, source) === "DurableObject";
}
/**
* Returns the members of a class and of its base classes in the file. The class's own members override others.
* `isWhole` is true if every base class is in the file, or is `DurableObject`.
*/
function membersOf(node, source) {
	const chain = [];
	let base = node;
	for (; isClass(base) && !chain.includes(base); base = valueOf(base.superClass, source)) chain.unshift(base);
	const members = {
		methods: /* @__PURE__ */ new Map(),
		getters: /* @__PURE__ */ new Map(),
		fields: /* @__PURE__ */ new Map(),
		isWhole: !base || isPlatformBase(base, source)
	};
	for (const { body } of chain) readBody(body, source, members);
	return members;
}
/**
* Adds the members of a class body. Each field has a list of its declarations and assignments: the source
* text, and the node if it is a value.
*/
function readBody({ body }, source, { methods, getters, fields }) {
	const hold = (name, node, value) => {
		const text = node && source.getText(node);
		if (node) fields.set(name, [...fields.get(name) ?? [], {
			text,
			value
		}]);
	};
	const holdValue = (name, value) => hold(name, unwrapped(value), unwrapped(value));
	for (const member of body) {
		if (member.static || !member.key) continue;
		const name = nameOf(member);
		const value = unwrapped(member.value);
		if (value?.params) (member.kind === "get" ? getters : methods).set(name, member);
		hold(name, member.typeAnnotation);
		holdValue(name, member.kind === "get" ? value.body?.body.at(-1)?.argument : value);
		for (const inner of value ? descendants(value, source, rebindsThis) : []) {
			const left = inner.type === "AssignmentExpression" && unwrapped(inner.left);
			if (left?.object && unwrapped(left.object).type === "ThisExpression") holdValue(nameOf(left), inner.right);
			const parameter = inner.parameter?.left ?? inner.parameter;
			if (parameter) hold(parameter.name, parameter.typeAnnotation);
		}
	}
}
// src/lint/rule.js
/** Makes rules in the form of ESLint's plugin interface. */
/**
* Makes a rule that checks whole files.
*
* @param anchor - the section of AGENTS.md that explains the rule
* @param check - called for each file with its context and `report(node, what, fix)`
* @param more - more properties of the rule's `meta`
*/
function fileRule(anchor, check, more = {}) {
	const url = `AGENTS.md#${anchor}`;
	return {
		meta: {
			type: "problem",
			schema: [],
			docs: { url },
			...more
		},
		create: (context) => ({ "Program:exit"() {
			const reported = /* @__PURE__ */ new Set();
			check(context, (node, what, fix) => {
				if (!reported.has(node)) context.report({
					node,
					message: `${what} See ${url}.`,
					...fix && { fix }
				});
				reported.add(node);
			});
		} })
	};
}
/** Makes a rule that checks each Durable Object class, with `report(node, what)`. */
function rule(anchor, check) {
	return fileRule(anchor, (context, report) => {
		for (const object of durableObjects(context)) check(object, report);
	});
}
/** Makes a rule that checks each call in a class and the functions that it calls, with the text of the callee. */
function callRule(anchor, check) {
	return rule(anchor, (object, report) => {
		for (const node of codeOf(object)) if (node.type === "CallExpression") check(node, object.source.getText(node.callee), object, report);
	});
}
// src/lint/rules/no-async-storage.js
/** Finds calls of the asynchronous storage API for which a synchronous form exists. */
/** Matches the methods that have a synchronous form. Alarms and `deleteAll` have none. */
const REPLACED = /^(get|put|delete|list|transaction)$/;
const noAsyncStorage = callRule("storage", ({ callee }, text, object, report) => {
	const name = callee.type === "MemberExpression" && nameOf(callee);
	if (object.keyValue || object.hasUnknownStorage) return;
	if (!REPLACED.test(name) || kindOf(callee.object, object) !== "storage") return;
	const instead = name === "transaction" ? "transactionSync" : `kv.${name}`;
	report(callee.property, `storage.${name}() is asynchronous although the data is local. So every caller has to be asynchronous, too, and writes with an await between them are committed separately. Use storage.${instead}() or storage.sql. They need SQLite: list the class in wrangler.jsonc with "storage": "sqlite" in exports, or in new_sqlite_classes.`);
});
// src/lint/rules/no-guessable-id.js
/** Finds ids made from the clock or from `Math.random()`. */
const ID = /^_?(id|uuid|key|token|secret)$|_(id|key|token)$|[a-z\d](Id|ID|Uuid|UUID|Key|Token|Secret)$/;
const WHY = {
	"Date.now()": "the clock stands still while code runs, so two calls can get the same value",
	"Math.random()": "its values can be guessed, and short ones repeat"
};
/** Matches the parts of an id: the calls in `WHY`, and calls that are random enough. */
const PART = /Date\.now\(\)|Math\.random\(\)|\b(randomUUID|getRandomValues|nanoid|ulid|uuid\w*)\(/g;
/** Matches expressions that pass on the value of a child. */
const PASSING = /^(TemplateLiteral|TSAsExpression|ChainExpression)$/;
const noGuessableId = callRule("ids", (node, text, object, report) => {
	const from = `${text}()`;
	if (!Object.hasOwn(WHY, from) || definition(node.callee.object, object.source)) return;
	const id = idMadeOf(node, from === "Date.now()", object);
	const parts = id ? [...object.source.getText(id).matchAll(PART)] : [];
	if (!id || parts.some(([part]) => !Object.hasOwn(WHY, part))) return;
	const [first] = parts.toSorted(([a], [b]) => a < b ? 1 : -1);
	if (first[0] === "Date.now()" && tellsApart(id, object)) return;
	if (id.range[0] + first.index === node.range[0]) report(node, `${from} does not make a safe id: ${WHY[from]}. Use crypto.randomUUID().`);
});
/** Follows a value upwards to where it is used. Returns the whole value if it is used as an id. */
function idMadeOf(call, isTime, object) {
	const ifId = (node, name) => ID.test(name) ? node : void 0;
	for (let node = call, up = call.parent;; node = up, up = up.parent) {
		if (up.type === "VariableDeclarator") return ifId(node, nameOf(up.id));
		if (up.type === "AssignmentExpression") return up.right === node ? ifId(node, nameOf(up.left)) : void 0;
		if (up.type.startsWith("Property")) return up.value === node ? ifId(node, nameOf(up)) : void 0;
		if (up.type === "ReturnStatement" || isFunction(up)) return ifId(node, makerName(node));
		if (up.type === "CallExpression" && up.callee !== node) {
			if (up.arguments[0] === node && isKeyOfWrite(up, object)) return node;
			if (!(isTime ? /^String$/ : /^(String|Math\.(floor|round|trunc))$/).test(object.source.getText(up.callee))) return void 0;
		} else if (up.type === "BinaryExpression") {
			if (!(isTime ? /['"`]|toString/.test(object.source.getText(up)) : true) || !/^[-+*/]$/.test(up.operator)) return void 0;
		} else if (up.type === "MemberExpression") {
			if (up.object !== node) return void 0;
		} else if (up.type === "ConditionalExpression") {
			if (up.test === node) return void 0;
		} else if (up.type === "LogicalExpression") {
			if (up.right === node && isOwnId(up.left, object)) return void 0;
		} else if (up.type !== "CallExpression" && !PASSING.test(up.type)) return void 0;
	}
}
/** Returns whether the left side of `a || b` is always set, because it is or ends in `this.ctx.id`. */
function isOwnId(expression, object) {
	const last = unwrapped(expression.right ?? expression);
	const callee = last.type === "CallExpression" && unwrapped(last.callee);
	const id = unwrapped(callee && nameOf(callee) === "toString" ? callee.object : last);
	return nameOf(id) === "id" && kindOf(id.object, object) === "ctx";
}
/** Returns whether another value than the time makes ids differ, as in `${seat}-${Date.now()}`. */
function tellsApart(node, object) {
	const parts = node.expressions ?? (node.type === "BinaryExpression" && [node.left, node.right]);
	if (parts) return parts.some((part) => tellsApart(part, object));
	const value = definition(node, object.source)?.node.init ?? node;
	return !(value.type === "Literal" || /^[A-Z_\d]+$/.test(node.name)) && !object.source.getText(value).includes("Date.now()");
}
function isKeyOfWrite({ callee }, object) {
	return callee.type === "MemberExpression" && nameOf(callee) === "put" && /^(storage|sync)$/.test(kindOf(callee.object, object));
}
/** Returns the name of the function that returns a value. */
function makerName(node) {
	for (const up of ancestors(node)) if (isFunction(up)) return nameOf(up.id ?? up.parent.id ?? up.parent);
}
// src/lint/rules/no-idle-async.js
/** Finds methods that are `async` but wait for nothing. */
/** Matches calls whose result is never a promise. */
const SYNCHRONOUS = /^((Array|Date|JSON|Math|Number|Object|Response|String)(\.(?!fromAsync)\w+)?|crypto\.randomUUID)$|\.(at|filter|find|flat|flatMap|getWebSockets|has|includes|join|map|push|replace|slice|some|sort|split|to[A-Z]\w+|trim|values)$/;
const noIdleAsync = rule("synchronous-methods", (object, report) => {
	const { node, isWhole } = object;
	const isFree = isWhole && !node.implements?.some((it) => nameOf(it.expression) !== "DurableObject");
	for (const member of isFree ? node.body.body : []) {
		const method = unwrapped(member.value);
		if (isFunction(method) && method.async && !method.generator && !HANDLER$1.test(nameOf(member)) && !isHook(method, object) && !member.static && !member.override && !waits(method, object)) report(member.key, `'${nameOf(member)}' is async but waits for nothing: callers have to wait for a promise, and an await that is added later lets other calls run between its steps. Remove async, and return the value itself.`);
	}
});
/**
* Returns whether a method exists to be overridden, or is not written yet: it is empty or only logs, or its parameters
* all begin with `_`.
*/
const isHook = ({ body, params }, { source }) => params.length > 0 && params.every((parameter) => (parameter.left ?? parameter).name?.startsWith("_")) || body.body?.every(({ expression }) => expression && source.getText(expression).startsWith("console."));
function waits(method, object) {
	return [method.body, ...descendants(method, object.source, isInner)].some((node) => {
		if (node.type === "AwaitExpression") return !isOfSynchronousApi(node.argument, object);
		if (node.type === "ReturnStatement") return node.argument && mayBePromise(node.argument, object);
		return node === method.body && node.type !== "BlockStatement" ? mayBePromise(node, object) : node.await || node.kind === "await using";
	});
}
/** Returns whether an expression belongs to a synchronous API, such as `sql.exec().toArray()`. */
function isOfSynchronousApi(node, object) {
	const inner = unwrapped(node);
	const owner = inner.object ?? inner.callee;
	return kindOf(inner, object) === "sync" || Boolean(owner && isOfSynchronousApi(owner, object));
}
/** Returns whether a returned value may be a promise, or contain one; true if in doubt. */
function mayBePromise(expression, object, depth = 0) {
	if (depth > 9) return true;
	return [expression, ...descendants(expression, object.source, isInner)].some((node) => {
		if (/^(TaggedTemplate|Import)Expression$/.test(node.type)) return true;
		if (node.type === "NewExpression") return nameOf(node.callee) === "Promise";
		if (node.type === "CallExpression") return !isSynchronousCall(node, object);
		const value = node.type === "Identifier" && node.parent.property !== node && definition(node, object.source)?.node.init;
		if (value) return mayBePromise(value, object, depth + 1);
		return isField(node, object) && object.fields.get(nameOf(node))?.some(({ text }) => /Promise/.test(text));
	});
}
function isSynchronousCall({ callee }, object) {
	if (SYNCHRONOUS.test(object.source.getText(callee))) return true;
	if (isOfSynchronousApi(callee, object)) return true;
	if (!isField(callee, object)) return false;
	const method = unwrapped(object.methods.get(nameOf(callee))?.value);
	const type = typeText(method, object.source);
	return Boolean(type) && !method.async && !/Promise/.test(type);
}
// src/lint/classes/origins.js
/** Finds the values from which a value is made, within its file. */
/** Maximum number of nodes. Beyond it, most of a program is connected in some way. */
const MOST = 3e3;
/**
* Returns the nodes of an expression, of its variables' values, and of the functions that it calls in the class or the
* file.
*/
function originsOf$1(expression, object, seen = /* @__PURE__ */ new Set()) {
	if (!expression || seen.has(expression) || seen.size > MOST) return seen;
	for (const node of [expression, ...descendants(expression, object.source)]) {
		if (seen.has(node) && node !== expression) continue;
		seen.add(node);
		for (const source of sourcesOf(node, object)) originsOf$1(source, object, seen);
	}
	return seen;
}
function sourcesOf(node, object) {
	if (isField(node, object)) {
		const name = nameOf(unwrapped(node));
		return [(object.getters.get(name) ?? object.methods.get(name))?.value.body];
	}
	if (node.type === "CallExpression") return [functionOf(node.callee, object.source)?.body];
	return node.type === "Identifier" && kindOf(node, object) !== "this" ? valuesOf(node, object) : [];
}
/** Returns the expressions that are assigned to a variable. */
function valuesOf(identifier, object) {
	const variable = isVariable(identifier) && variableOf(identifier, object.source);
	const [found] = variable && variable.defs || [];
	if (!found) return [];
	const written = variable.references.map(({ writeExpr }) => writeExpr).filter(Boolean);
	if (found.node.type === "VariableDeclarator") {
		const { init, parent } = found.node;
		return [init ?? parent.parent.right, ...written].filter(Boolean);
	}
	if (found.type !== "Parameter") return written;
	const call = found.node.parent;
	const giver = call.arguments?.includes(found.node) ? unwrapped(call.callee).object : void 0;
	return [
		...object.given.get(found.name) ?? [],
		giver,
		...written
	].filter(Boolean);
}
/** Like `valuesOf`, but empty if the variable is only a part of a value, taken out by destructuring. */
function wholeValuesOf(identifier, object) {
	const [found] = variableOf(identifier, object.source)?.defs ?? [];
	const isWhole = found && [found.node.id, ...found.node.params ?? []].includes(found.name);
	const isCallback = found?.node.parent.type === "CallExpression";
	return isWhole && !isCallback ? valuesOf(identifier, object) : [];
}
/**
* Returns whether `test` is true for a value, or for a part of it if it is an object literal, an array literal or a
* `new` expression. Values that are read from other objects are not followed.
*/
function contains(value, test, object, depth = 0) {
	const node = unwrapped(value);
	if (!node || depth > 5) return false;
	if (test(node)) return true;
	const parts = {
		Identifier: () => wholeValuesOf(node, object),
		ObjectExpression: () => node.properties,
		Property: () => [node.value],
		ArrayExpression: () => node.elements,
		NewExpression: () => node.arguments
	}[node.type]?.();
	return Boolean(parts?.some((part) => contains(part, test, object, depth + 1)));
}
/** Returns whether a node is an identifier that names a variable, unlike the `x` of `a.x` or of `{ x: 1 }`. */
function isVariable(node) {
	const { parent } = node;
	const isName = parent.property === node || parent.key === node && parent.value !== node;
	return node.type === "Identifier" && (!isName || parent.computed);
}
// src/lint/classes/volatile-methods.js
/** Finds the methods that a contract lists as volatile: they change data in memory that may be lost. */
/** Returns the functions of the volatile methods of a class, by the contracts in the file. */
function volatileMethods({ contracts, methods, source }) {
	return contracts.flatMap((contract) => contract?.properties ?? []).filter((entry) => entry.type === "Property" && isVolatile(valueOf(entry.value, source), source)).map((entry) => unwrapped(methods.get(nameOf(entry))?.value)).filter(Boolean);
}
/** Returns whether an entry is `volatile([…])` or `{ …, volatile: true }`. */
function isVolatile({ type, callee, properties = [] }, source) {
	if (type === "CallExpression") return exportedName(callee, source) === "volatile";
	return properties.some((key) => nameOf(key) === "volatile" && key.value?.value === true);
}
// src/lint/fields/code-units.js
/**
* Divides the code of a Durable Object class into units, and tells code that runs during the setup from code that runs
* later.
*/
/** Calls that run their callbacks themselves, and do not store them. */
const AT_ONCE = /^(blockConcurrencyWhile|transaction(Sync)?|forEach|map|flatMap|filter|find|some|every|reduce|sort|from|then|catch|finally|waitUntil|queueMicrotask|Promise)$/;
/** Methods that the platform, or a framework on top of it, calls before any other method. */
const SETUP = /^(constructor|on(Start|Init|Load))$/;
/**
* Units are methods, called functions, initial values of fields, and callbacks that the setup registers, such as
* routes. Each unit has its nodes, the functions that it calls, and whether it is part of the setup. The setup is the
* constructor, the initial values of fields, and the functions that they call.
*/
function codeUnits(object) {
	const units = /* @__PURE__ */ new Map();
	const add = (root, isSetup) => {
		if (units.has(root) || !root) return;
		const later = [];
		const skip = (node) => {
			const isLater = isSetup && isFunction(node) && isForLater(node);
			if (isLater && !rebindsThis(node)) later.push(node);
			return isLater || rebindsThis(node);
		};
		const unit = {
			isSetup,
			nodes: [...descendants(root, object.source, skip)]
		};
		unit.calls = new Set(unit.nodes.filter(isCalled).map((node) => calledBy(node, object)));
		units.set(root, unit);
		if (isSetup) for (const called of unit.calls) add(called, true);
		for (const callback of later) add(callback, false);
	};
	const methods = [...object.methods.values()].map(({ value }) => unwrapped(value)).filter(isFunction);
	for (const method of methods) if (SETUP.test(nameOf(method.parent))) add(method, true);
	for (const { value } of [...object.fields.values()].flat()) if (value?.parent.type === "PropertyDefinition" && !isFunction(value)) add(value, true);
	for (const root of [...methods, ...object.functions]) add(root, false);
	return units;
}
/** Returns whether the setup does not run a function itself: a route, a listener, `ws.onmessage = …`. */
function isForLater(node) {
	const { parent } = node;
	if (parent.callee && parent.callee !== node) return !AT_ONCE.test(nameOf(unwrapped(parent.callee)));
	return /^(Property|AssignmentExpression)$/.test(parent.type);
}
/** Returns whether a node is a called function: `f()`, `this.f()`, `then(this.f)`, `then(this.f.bind(this))`. */
function isCalled(node) {
	const { type, callee, property } = node.parent;
	if (property?.name === "bind") return isCalled(node.parent.parent);
	return type === "CallExpression" && (callee === node || AT_ONCE.test(nameOf(unwrapped(callee))));
}
function calledBy(node, object) {
	if (!isField(node, object)) return functionOf(node, object.source);
	const method = unwrapped(object.methods.get(nameOf(unwrapped(node)))?.value);
	return isFunction(method) ? method : void 0;
}
// src/lint/fields/field-writes.js
/** Finds where a Durable Object class fills its fields, and with which values. */
const FILLING = /^(add|push|set|unshift)$/;
const CONTAINER = /\[\]|\b(Map|Set|Array|Record)\b|^\[|^: \{|^\{/;
/** Matches values that empty a field on purpose. After such a write there is nothing to lose. */
const EMPTY = /^(undefined|null|void 0|false|-?[01]|''|""|\[\]|\{\}|new (Map|Set)(<.*>)?\(\))$/s;
/** Returns the write to the field that `node` names, with the assigned values; undefined if there is no write. */
function writeOf(node, object) {
	if (!isField(node, object) || isField(node.parent, object)) return void 0;
	const name = nameOf(unwrapped(node));
	const whole = outermostAccess(node);
	const isInside = whole !== node && unwrapped(whole) !== node;
	const isContainer = object.fields.get(name)?.some(({ text }) => CONTAINER.test(text));
	if (!name || name === "constructor" || isInside && !isContainer) return void 0;
	const { type, left, right, callee, arguments: given = [] } = whole.parent;
	const keys = isInside && whole.computed ? [whole.property] : [];
	if (type === "AssignmentExpression" && left === whole) return isEmptying(right, object) && !isInside ? void 0 : {
		node,
		name,
		values: [right, ...keys]
	};
	if (type === "UpdateExpression") return {
		node,
		name,
		values: keys
	};
	const called = isInside && callee === whole ? nameOf(unwrapped(whole)) : void 0;
	if ((called === "splice" ? given.length > 2 : FILLING.test(called)) || given[0] === whole && isAssign(callee)) return {
		node,
		name,
		values: given
	};
}
const isEmptying = (value, { source }) => EMPTY.test(source.getText(value));
const isAssign = (callee) => nameOf(callee) === "assign" && callee.object?.name === "Object";
/**
* Returns whether the value of a write can be created again after a loss: `this.x ??= …`, `if (!this.x) this.x = …`,
* the same through a variable that was read from the field, or a value that lasts only until a promise settles or the
* function's `finally` runs.
*/
function isRestorable({ node, name }, object) {
	const ups = [...ancestors(node)];
	const root = ups.findLast((up) => isFunction(up) || up.type === "MethodDefinition");
	return isOfEachRequest(node, object) || /^(\?\?|\|\|)=$/.test(outermostAccess(node).parent.operator) || ups.some(({ type, callee }) => type === "NewExpression" && nameOf(callee) === "Promise") || [...descendants(root, object.source)].some((other) => other.type === "IfStatement" && isForMissing(other, node, name, object) || other.type === "TryStatement" && isEmptiedAfter(other, name, object));
}
/**
* Returns whether a write is a statement of `fetch` without a condition, as in `fetch(request) { this.origin = …`. Such
* a write runs again before any use of the field.
*/
function isOfEachRequest({ parent }, { methods }) {
	const body = parent.type === "AssignmentExpression" && parent.parent.parent;
	return body && body === methods.get("fetch")?.value.body;
}
/** Returns whether `if (!this.x) { … }` stands around a write, or `if (this.x) return` before it. */
function isForMissing({ test, consequent }, node, name, object) {
	const isAround = isWithin(node, consequent);
	const exits = [consequent, ...consequent.body ?? []].some(({ type }) => /^(Return|Throw|Continue)/.test(type));
	return operandsOf(test).some((operand) => {
		const { isNegated, subject } = readTest(operand);
		return (isNegated ? isAround : exits && !isAround && consequent.range[1] <= node.range[0]) && asks(subject, name, object);
	});
}
const operandsOf = (test) => test.type === "LogicalExpression" ? [...operandsOf(test.left), ...operandsOf(test.right)] : [test];
/**
* Returns whether a condition tests a field: `!x`, `x == null` and `x === undefined` test for a missing value, `x` for
* an existing value.
*/
function readTest(test) {
	if (test.type === "UnaryExpression") return {
		isNegated: true,
		subject: test.argument
	};
	if (test.type !== "BinaryExpression") return {
		isNegated: false,
		subject: test
	};
	const isNothing = /^(null|undefined|false)$/.test(test.right.name ?? test.right.raw);
	return {
		isNegated: test.operator.startsWith("=="),
		subject: isNothing ? test.left : void 0
	};
}
/** Returns whether an expression is the field, a lookup in it, or a variable with either. */
function asks(subject, name, object) {
	const node = unwrapped(subject);
	if (!node) return false;
	if (isField(node, object)) return nameOf(node) === name;
	if (node.type === "Identifier") return valuesOf(node, object).some((value) => value !== node && isLookup(unwrapped(value), name, object));
	return isLookup(node, name, object);
}
function isLookup(node, name, object) {
	if (node.type === "CallExpression") return /^(has|get|find|includes|some)$/.test(nameOf(unwrapped(node.callee))) && isLookup(unwrapped(node.callee).object, name, object);
	if (isField(node, object)) return nameOf(unwrapped(node)) === name;
	return node.type === "MemberExpression" && isLookup(unwrapped(node.object), name, object);
}
/**
* Returns whether a `finally` block empties the field again: `try { … } finally { this.x = undefined;
* this.y.delete(key); }`
*/
function isEmptiedAfter({ finalizer }, name, object) {
	return Boolean(finalizer) && [...descendants(finalizer, object.source)].some((node) => isField(node, object) && nameOf(unwrapped(node)) === name);
}
// src/lint/fields/data-access.js
/**
* Finds calls that read or write data outside of the object's memory: in its storage, in attachments, or in other
* services.
*/
const READING = /^(get\w*|list\w*|all|first|one|raw|toArray|next|forEach|map|filter|select\w*|query\w*|find\w*|has|count|match|head|load\w*|read\w*|idFrom\w+|newUniqueId|keys|entries|deserializeAttachment)$/;
/** Names of calls on storage that neither read nor write data. */
const ASIDE$1 = /Alarm$|^(transaction(Sync)?|sync|delete(All)?)$/;
const STORAGE = /^(ctx|storage|sync)$/;
const PERSISTING = /save|store|persist|write|flush|snapshot|sync|commit|checkpoint/i;
/** Returns how a call uses data: `'reads'`, `'writes'` or undefined. */
const accessOf = memoized((node, object) => {
	if (!/^(Call|New|TaggedTemplate)Expression$/.test(node.type)) return void 0;
	const callee = unwrapped(node.callee ?? node.tag);
	if (callee.type === "Super") return void 0;
	const name = nameOf(callee) ?? "";
	if (name === "serializeAttachment") return "writes";
	if (name === "deserializeAttachment" || name === "getWebSockets") return "reads";
	if (isPersisting(node, name, object)) return "writes";
	if (!callee.object && node.type === "CallExpression") return void 0;
	if (ASIDE$1.test(name) || !comesFromStorage(callee, object)) return void 0;
	return READING.test(name) || isSelect(node, object) ? "reads" : "writes";
});
/**
* Returns whether a call saves data: it gets the storage as an argument, it is an `sql` tag, or it calls a method of a
* base class outside the file whose name means saving.
*/
function isPersisting(node, name, object) {
	const given = node.arguments ?? node.quasi.expressions;
	if (given.some((argument) => STORAGE.test(kindOf(argument, object)))) return true;
	if (node.quasi) return name === "sql" && !isSelect(node, object);
	if (given.some((argument) => kindOf(argument, object) === "this")) return PERSISTING.test(name);
	if (object.isWhole || !isField(node.callee, object)) return false;
	return !(object.methods.has(name) || object.fields.has(name)) && (PERSISTING.test(name) || /^setState$/.test(name));
}
function isSelect(node, { source }) {
	const [text] = (node.arguments ?? [node.quasi]).map((part) => part && source.getText(part));
	return /^[`'"(\s]*(SELECT|PRAGMA|CREATE|DROP|EXPLAIN)\b/i.test(text);
}
/** Returns whether an expression is, or was made from, storage or a binding. */
const comesFromStorage = memoized((node, object) => isFromStorage(node, object, comesFromStorage));
/**
* Does what `comesFromStorage` does, for the value of a variable or a field. A value that was read from storage is
* data, and does not count.
*/
const holdsStorage = memoized((node, object) => {
	return !(node.type === "CallExpression" && isStorage(unwrapped(node.callee).object, object)) && isFromStorage(node, object, holdsStorage);
});
function isFromStorage(node, object, isFrom) {
	if (kindOf(node, object)) return isStorage(node, object);
	if (node.type === "Identifier") return isBinding$1(node, object) || valuesOf(node, object).some((value) => holdsStorage(value, object));
	if (isField(node, object)) {
		const name = nameOf(node);
		const held = object.fields.get(name) ?? [];
		return name === "env" || held.some(({ value }) => holdsStorage(value, object));
	}
	if (node.type === "AwaitExpression") return isFrom(node.argument, object);
	if (node.type === "MemberExpression") return isFrom(node.object, object);
	if (node.type === "LogicalExpression") return isFrom(node.left, object);
	if (!/^(Call|New)Expression$/.test(node.type)) return false;
	return node.arguments.some((argument) => STORAGE.test(kindOf(argument, object))) || isFrom(node.callee, object);
}
const isStorage = (node, object) => /^(storage|sync)$/.test(kindOf(node, object));
/** Returns whether a variable is `env`, the second parameter of the constructor. */
function isBinding$1(node, object) {
	const second = (object.methods.get("constructor")?.value)?.params[1];
	const name = second && (second.parameter ?? second.left ?? second).name;
	return node.name === "env" && (!name || name === "env");
}
/** Returns the texts in a call, such as keys and SQL. */
const textsIn = (node, object) => [node, ...descendants(node, object.source)].filter(({ type }) => /^(Literal|TemplateElement)$/.test(type)).map(({ value }) => String(value?.cooked ?? value));
// src/lint/fields/kept-fields.js
/** Finds the fields of a Durable Object class whose values are also in storage. */
/**
* Returns a function that checks whether a field is kept. A field is kept if some code stores the field or a value that
* is assigned to it, assigns a value that was read to it, or names it in a key or in SQL.
*/
function keptFields(units, writes, object) {
	const stores = [...units.values()].flatMap((unit) => unit.nodes).filter((node) => accessOf(node, object) === "writes").map(unwrapped);
	const given = stores.flatMap((node) => node.arguments ?? node.quasi.expressions);
	const stored = /* @__PURE__ */ new Set();
	for (const value of given) originsOf$1(value, object, stored);
	if ([...stored].some((node) => isAll(node, object))) return () => true;
	const texts = stores.flatMap((node) => textsIn(node, object)).join("\n");
	const variables = /* @__PURE__ */ new Set();
	for (const value of given) for (const part of partsOf(value, object)) variables.add(part);
	const kept = new Set([...stored].filter((node) => isField(node, object)).map((node) => nameOf(unwrapped(node))));
	for (const { name, values } of writes) if (values.some((value) => isRead$1(value, object) || isShared$1(value, variables, object))) kept.add(name);
	return (name) => kept.has(name) || names(texts, name);
}
/** Returns whether a node is `this` itself, and not the `this` of `this.x`. */
function isAll(node, object) {
	return kindOf(node, object) === "this" && node.parent.object !== node;
}
/** Returns whether a value was read from storage, from an attachment, or from another service. */
const isRead$1 = (value, object) => [...originsOf$1(value, object)].some((node) => accessOf(node, object) || isField(node, object) && nameOf(node) === "env");
const names = (texts, name) => new RegExp(`(^|[^a-z])${name.replace(/^[#_]+/, "").replaceAll("$", "\\$")}([^a-z]|$)`, "i").test(texts);
function isShared$1(value, parts, object) {
	for (const part of partsOf(value, object)) {
		const [id, property] = part.split(".");
		if (parts.has(part) || parts.has(`${id}.`)) return true;
		if (!property && [...parts].some((other) => other.startsWith(part))) return true;
	}
	return false;
}
const ids = /* @__PURE__ */ new WeakMap();
let next = 0;
/**
* Yields the variables in an expression, as `<id>.`, or as `<id>.x` for `data.x`; and the variables that they were made
* from. A destructured variable, as in `const { a, b } = message`, shares nothing.
*/
function* partsOf(expression, object, seen = /* @__PURE__ */ new Set()) {
	for (const node of [expression, ...descendants(expression, object.source)]) {
		const variable = isVariable(node) && variableOf(node, object.source);
		if (!variable || seen.has(variable) || /^(module|global)$/.test(variable.scope.type)) continue;
		if (!ids.has(variable)) ids.set(variable, next += 1);
		const isInside = node.parent.object === node && node.parent.parent.callee !== node.parent;
		yield `${ids.get(variable)}.${isInside ? nameOf(node.parent) ?? "" : ""}`;
		if (isInside) continue;
		seen.add(variable);
		for (const value of wholeValuesOf(node, object)) yield* partsOf(value, object, seen);
	}
}
// src/lint/fields/field-use.js
/** Finds how a Durable Object class uses its fields. The result is computed once for all rules. */
const uses = /* @__PURE__ */ new WeakMap();
/**
* Returns the units of code, the writes to fields, and a function that checks whether a field is kept. A write has the
* `isSetup` of its unit, and whether a volatile method makes it.
*/
function fieldUse(object) {
	if (!uses.has(object)) uses.set(object, read(object));
	return uses.get(object);
}
function read(object) {
	const units = codeUnits(object);
	const writes = [];
	const ofVolatile = /* @__PURE__ */ new Set();
	const addCode = (root) => {
		if (ofVolatile.has(root) || !units.has(root)) return;
		ofVolatile.add(root);
		for (const called of units.get(root).calls) addCode(called);
	};
	for (const method of volatileMethods(object)) addCode(method);
	for (const [root, { isSetup, nodes }] of units) for (const node of nodes) {
		const write = writeOf(node, object);
		if (write) writes.push(Object.assign(write, {
			isSetup,
			isVolatile: ofVolatile.has(root)
		}));
	}
	return {
		units,
		writes,
		isKept: keptFields(units, writes, object)
	};
}
// src/lint/rules/no-lost-socket.js
/** Finds fields that hold sockets. Hibernation empties the fields, and keeps the sockets open. */
/** Names of fields that limit a rate. Their counts may start anew, so a loss is harmless. */
const LIMIT = /rate|limit|throttle|ping|bucket/i;
const ASIDE = /^(add|set|push|unshift|delete|clear)$/;
const noLostSocket = rule("state", (object, report) => {
	const sockets = hibernatingSockets(object);
	if (!sockets.size) return;
	const isSocket = (value) => value.type === "Identifier" && sockets.has(variableOf(value, object.source));
	const { writes } = fieldUse(object);
	const read = new Set([...codeOf(object)].filter((node) => isRead(node, object)).map(fieldOf));
	const done = new Set(writes.filter((write) => isListed(write, object)).map(({ name }) => name));
	for (const { name, node, values, isSetup } of writes) {
		if (isSetup || done.has(name) || !read.has(name) || LIMIT.test(name)) continue;
		if (isOfEachMessage(node, object)) continue;
		if (!values.some((value) => contains(value, isSocket, object))) continue;
		done.add(name);
		report(node, `'${name}' holds sockets, but hibernation empties the field while the sockets stay open. Use ctx.getWebSockets(), with tags to select sockets, and serializeAttachment() for the data of a socket. Or fill the field from both in the constructor.`);
	}
});
/**
* Returns the variables with sockets that hibernation keeps open: arguments of `acceptWebSocket`, and parameters of
* handlers.
*/
function hibernatingSockets(object) {
	const { methods, source } = object;
	const named = [];
	for (const { callee, arguments: given } of codeOf(object)) if (callee && nameOf(unwrapped(callee)) === "acceptWebSocket") named.push(given[0]);
	if (!named.length) return /* @__PURE__ */ new Set();
	for (const name of [
		"webSocketMessage",
		"webSocketClose",
		"webSocketError"
	]) named.push(unwrapped(methods.get(name)?.value)?.params[0]);
	const variables = named.map(unwrapped).filter((socket) => socket?.type === "Identifier").map((socket) => variableOf(socket, source));
	return new Set(variables.filter(Boolean));
}
const fieldOf = (node) => nameOf(unwrapped(node));
/** Returns whether a node reads a field: it does not only fill or empty it. */
function isRead(node, object) {
	if (!isField(node, object)) return false;
	const whole = outermostAccess(node);
	const { type, callee, left } = whole.parent;
	if (type === "AssignmentExpression" && left === whole) return false;
	return type !== "CallExpression" || callee !== whole || !ASIDE.test(fieldOf(whole));
}
const isListed = ({ values }, object) => values.some((value) => [...originsOf$1(value, object)].some(({ type, callee }) => type === "CallExpression" && nameOf(unwrapped(callee)) === "getWebSockets"));
/**
* Returns whether a node is in a statement of `webSocketMessage` without a condition. Such a statement runs again after
* a wake-up.
*/
function isOfEachMessage(node, { methods }) {
	return [...ancestors(node)].find(({ type }) => type === "ExpressionStatement")?.parent === (unwrapped(methods.get("webSocketMessage")?.value)?.body ?? null);
}
// src/lint/calls/clients.js
/** Finds the clients and stubs of a file, and their calls. */
const CLIENT = /^(createRpcClient|useRpcClient|withOptions)$/;
const TYPE = /^:\s*(RpcClient|DurableObjectStub)\b/;
/** Members of clients and stubs that return no promise. */
const LOCAL = /^(close|reconnect|dup|connect)$/;
/** A file without these words has no clients. */
const MENTION = /RpcClient|withOptions|getByName|DurableObjectStub|idFrom|newUniqueId/;
/** Returns whether a node is a call of a method of a client or a stub, which returns a promise. */
function isRemoteCall(node, source) {
	const callee = node.type === "CallExpression" && unwrapped(node.callee);
	return callee.type === "MemberExpression" && !LOCAL.test(nameOf(callee)) && isClient(callee.object, source);
}
/** Returns whether every value that an expression can have is a client or a stub. */
function isClient(expression, source, depth = 0) {
	const node = unwrapped(expression);
	if (!node || depth > 9) return false;
	const isMade = (value) => isClient(value, source, depth + 1);
	const areMade = (values) => values.length > 0 && values.every(isMade);
	switch (node.type) {
		case "CallExpression": return CLIENT.test(importedName(node.callee, source)) || isStub(node, source) || areMade(resultsOf(node, source));
		case "Identifier": {
			const declared = definition(node, source);
			if (TYPE.test(typeText(declared?.name, source))) return true;
			const isPlain = declared?.node.type === "VariableDeclarator" && declared.node.id.name;
			return Boolean(isPlain) && areMade(writesOf(variableOf(node, source)));
		}
		case "MemberExpression": return areMade(valuesOfField(node, source));
		case "AssignmentExpression": return isMade(node.right);
		case "ConditionalExpression": return isMade(node.consequent) && isMade(node.alternate);
		case "LogicalExpression": return isMade(node.left) && isMade(node.right);
	}
	return false;
}
/** Returns the name of a function as its module exports it; undefined for a function of the file. */
function importedName(callee, source) {
	if (functionOf(callee, source)) return void 0;
	return exportedName(callee, source);
}
/** Returns whether a call is `env.ROOM.getByName(…)`, or `env.ROOM.get(id)` with an id of the namespace. */
function isStub(call, source) {
	const callee = unwrapped(call.callee);
	const name = nameOf(callee);
	if (callee.type !== "MemberExpression" || !/^get(ByName)?$/.test(name)) return false;
	const id = call.arguments[0] && valueOf(call.arguments[0], source);
	const isId = id?.type === "CallExpression" && /^(idFrom\w+|newUniqueId)$/.test(nameOf(unwrapped(id.callee)));
	return isBinding(callee.object, source) && (name === "getByName" || isId);
}
/** Returns whether an expression is `env.X` or `this.env.X`, also taken out by destructuring. */
function isBinding(expression, source) {
	const node = valueOf(expression, source);
	if (node?.type === "MemberExpression") return isEnv(node.object);
	const declared = node?.type === "Identifier" && definition(node, source);
	if (!declared) return false;
	return /\bDurableObjectNamespace\b/.test(typeText(declared.name, source)) || Boolean(declared.node.init && isEnv(declared.node.init));
}
const isEnv = (node) => nameOf(unwrapped(node)) === "env";
/** Returns the values that a function of the file returns. It also follows the function that `useMemo` receives. */
function resultsOf({ callee, arguments: given }, source) {
	const called = nameOf(callee) === "useMemo" ? unwrapped(given[0]) : functionOf(callee, source);
	if (!isFunction(called) || called.async || called.generator) return [];
	if (called.body.type !== "BlockStatement") return [called.body];
	return [...descendants(called.body, source, isInner)].filter(({ type }) => type === "ReturnStatement").map(({ argument }) => argument);
}
/** Returns the values that are written to a variable, without `null` and `undefined`. */
const writesOf = (variable) => withoutNothing(variable.references.map(({ writeExpr }) => writeExpr).filter(Boolean));
const withoutNothing = (values) => values.filter((value) => value.raw !== "null" && value.name !== "undefined");
/** Returns the values that a class gives its field `this.x`. */
function valuesOfField(member, source) {
	const name = nameOf(member);
	if (!name || unwrapped(member.object).type !== "ThisExpression") return [];
	const owner = [...ancestors(member)].find(isClass);
	const values = [...owner ? descendants(owner.body, source) : []].flatMap((node) => {
		if (node.type === "PropertyDefinition") return nameOf(node) === name ? [node.value] : [];
		const left = node.type === "AssignmentExpression" && unwrapped(node.left);
		return left?.object && unwrapped(left.object).type === "ThisExpression" && nameOf(left) === name ? [node.right] : [];
	});
	return withoutNothing(values.filter(Boolean));
}
// src/lint/calls/waits.js
/**
* Finds where a method of a Durable Object waits for something outside of the object, so that other calls run in
* between.
*/
/** Matches methods that read the body of a request, of a response or of a stream. */
const BODY = /^(json|text|arrayBuffer|formData|blob|bytes|read)$/;
/** Functions that only compute, although they return promises. */
const COMPUTING = /hash|digest|sign|verify|crypt|sha\d|hmac|migrate/i;
/**
* Returns the position at which a node stops waiting. If a callback runs after the wait, returns the callback, too.
* Returns undefined if the node does not wait, or waits only for storage or a computation.
*/
function waitOf(node, object) {
	if (node.type === "AwaitExpression") return isOutside(node.argument, object) ? {
		node,
		end: node.range[1]
	} : void 0;
	const callee = node.type === "CallExpression" && unwrapped(node.callee);
	if (!/^(then|catch|finally)$/.test(callee.object && nameOf(callee))) return void 0;
	return isOutside(callee.object, object) ? {
		node: callee,
		end: callee.range[1],
		within: node
	} : void 0;
}
/** Returns whether an expression is surely a promise of something outside of the object. */
function isOutside(expression, object, depth = 0) {
	const node = unwrapped(expression);
	if (!node || depth > 5) return false;
	const isToo = (other) => isOutside(other, object, depth + 1);
	if (node.type === "Identifier") return valuesOf(node, object).some(isToo);
	if (node.type === "NewExpression") return nameOf(node.callee) === "Promise";
	if (node.type === "ArrayExpression") return node.elements.some(isToo);
	if (node.type !== "CallExpression") return false;
	const callee = unwrapped(node.callee);
	const name = nameOf(callee) ?? "";
	if (kindOf(callee.object ?? callee, object) && !isField(callee, object)) return false;
	if (node.arguments.some((argument) => kindOf(argument, object))) return false;
	if (isField(callee, object)) return waitsOutside(object.methods.get(name)?.value, isToo, object);
	const own = functionOf(callee, object.source);
	if (own) return waitsOutside(own, isToo, object);
	const text = object.source.getText(callee);
	if (/^Promise\.(all|allSettled|any|race)$/.test(text)) {
		const [list] = node.arguments;
		return isToo(list) || list && list.callee && list.arguments.some((it) => waitsOutside(it, isToo, object));
	}
	if (/^(then|catch|finally)$/.test(name)) return isToo(callee.object);
	if (/^(fetch|scheduler\.wait)$/.test(text)) return true;
	if (COMPUTING.test(text)) return false;
	return BODY.test(name) && Boolean(callee.object) || isRemoteCall(node, object.source) || isElsewhere(callee, object);
}
/** Returns whether a function waits for something outside of the object, or returns a promise of it. */
function waitsOutside(value, isOutsideToo, { source }) {
	const made = unwrapped(value);
	if (!isFunction(made)) return false;
	const nodes = [made.body, ...descendants(made.body, source, isInner)];
	return !(made.body.type === "BlockStatement") && isOutsideToo(made.body) || nodes.some(({ type, argument }) => /^(Await|Return)/.test(type) && isOutsideToo(argument));
}
/** Returns whether an expression is, or belongs to, a binding or an export of a module. */
function isElsewhere(expression, object, depth = 0) {
	const node = unwrapped(expression);
	if (!node || depth > 9) return false;
	const isToo = (other) => isElsewhere(other, object, depth + 1);
	if (nameOf(node) === "env") return true;
	if (isField(node, object)) return (object.fields.get(nameOf(node)) ?? []).some(({ value }) => isToo(value));
	if (node.type === "Identifier") return definition(node, object.source)?.type === "ImportBinding" || valuesOf(node, object).some(isToo);
	return isToo(node.object ?? node.callee ?? (node.type === "AwaitExpression" && node.argument));
}
// src/lint/classes/stored-values.js
/** Finds which stored value a call of a Durable Object class reads or writes: the value of a key, or columns of rows. */
const SELECT = /^\s*SELECT\s+(.+?)\s+FROM\s+(\w+)(?:\s+WHERE\s+(.+?))?(?:\s+LIMIT\s+1)?\s*;?\s*$/is;
const UPDATE = /^\s*UPDATE\s+(\w+)\s+SET\s+(.+?)(?:\s+WHERE\s+(.+?))?\s*;?\s*$/is;
/** Matches a query that replaces a row. */
const REPLACE = /^\s*(?:INSERT\s+OR\s+REPLACE|REPLACE|INSERT)\s+INTO\s+(\w+)\s*\(([\w\s,]+)\)\s*VALUES\s*\(([?\s,]+)\)(.*)$/is;
/**
* Returns the stored values that a node reads, as `{ id, columns }`. The node can also call a synchronous method or a
* getter of the class.
*/
function storedReads(node, object) {
	const direct = directRead(node, object);
	if (direct) return [direct];
	const own = ownFunction(node, object);
	if (!own || own.async) return [];
	return [own.body, ...descendants(own.body, object.source)].map((inner) => directRead(inner, object, argumentsOf(own, node))).filter(Boolean);
}
/**
* Returns the stored values that a node writes, as `{ id, column, value }`. The node can also call a method of the
* class with the value.
*/
function storedWrites(node, object) {
	const direct = directWrites(node, object);
	const own = direct.length ? void 0 : ownFunction(node, object);
	if (!own) return direct;
	const nodes = [own.body, ...descendants(own.body, object.source)];
	if (nodes.some((inner) => directRead(inner, object))) return [];
	const given = argumentsOf(own, node);
	return nodes.flatMap((inner) => directWrites(inner, object, given)).map((write) => Object.assign(write, { value: given.get(unwrapped(write.value).name) })).filter(({ value }) => value);
}
function directRead(node, object, given) {
	const { name, first, rest } = storageCall(node, object);
	if (name === "get") return first && { id: keyOf(first, object, given) };
	const [, columns, table, where] = name === "exec" && SELECT.exec(textOf(first, object)) || [];
	return table && {
		id: rowsOf(table, where, rest, object, given),
		columns
	};
}
function directWrites(node, object, given) {
	const { name, first, rest } = storageCall(node, object);
	if (name === "put" && first?.type === "ObjectExpression") return first.properties.filter(({ type }) => type === "Property").map(({ key, value }) => ({
		id: JSON.stringify(nameOf({ key })),
		value
	}));
	if (name === "put" && rest[0]) return [{
		id: keyOf(first, object, given),
		value: rest[0]
	}];
	const row = name === "exec" && REPLACE.exec(textOf(first, object));
	if (row) return replacedValues(row, rest, object, given);
	const [, table, changes, where] = name === "exec" && UPDATE.exec(textOf(first, object)) || [];
	if (!table) return [];
	let count = 0;
	const columns = changes.split(",").map((change) => {
		const [, column] = /^\s*(\w+)\s*=\s*\?\s*$/.exec(change) ?? [];
		const value = rest[count];
		count += change.split("?").length - 1;
		return {
			column,
			value
		};
	});
	const id = rowsOf(table, where, rest.slice(count), object, given);
	return columns.filter(({ column, value }) => column && value).map((write) => Object.assign(write, { id }));
}
/** Returns the values of a row that is replaced, for each column that may select the row. */
function replacedValues([text, table, names, , end], values, object, given) {
	const columns = names.split(",").map((name) => name.trim());
	const isReplaced = (column) => /^\s*(INSERT\s+OR\s+)?REPLACE/i.test(text) || new RegExp(`\\b${column}\\s*=\\s*excluded\\.${column}\\s*(,|;|$)`, "i").test(end);
	return columns.flatMap((key, at) => {
		const id = values[at] && rowsOf(table, `${key} = ?`, [values[at]], object, given);
		return columns.map((column, index) => ({
			id,
			column,
			value: values[index]
		})).filter(({ column, value }) => id && value && column !== key && isReplaced(column));
	});
}
/** Returns the name and the arguments of a call of `storage`, `storage.kv` or `storage.sql`. */
function storageCall(node, object) {
	const callee = node.type === "CallExpression" && unwrapped(node.callee);
	if (callee.type !== "MemberExpression") return {};
	if (!/^(storage|sync)$/.test(kindOf(callee.object, object))) return {};
	const [first, ...rest] = node.arguments.map(unwrapped);
	return {
		name: nameOf(callee),
		first,
		rest
	};
}
/** Returns the method or getter of the class that a node calls. */
function ownFunction(node, object) {
	const isCall = node.type === "CallExpression";
	if (!isField(isCall ? node.callee : node, object)) return void 0;
	const name = nameOf(unwrapped(isCall ? node.callee : node));
	const own = unwrapped((isCall ? object.methods : object.getters).get(name)?.value);
	return isFunction(own) ? own : void 0;
}
/** Returns the arguments of a call, by the name of the parameter. */
const argumentsOf = ({ params }, node) => new Map(params.map((parameter, at) => [(parameter.left ?? parameter).name, node.arguments?.[at]]));
/** Returns a text for a key, so that calls with equal keys have equal texts. */
function keyOf(key, object, given) {
	const value = valueOf(given?.get(key.name) ?? key, object.source);
	return value.type === "Literal" ? JSON.stringify(value.value) : object.source.getText(value);
}
const rowsOf = (table, where, values, object, given) => [
	table,
	where?.replaceAll(/\s+/g, " "),
	...values.map((value) => keyOf(value, object, given))
].join(" ");
/** Returns the text of a query that has no variable parts. */
function textOf(query, { source }) {
	const value = query && valueOf(query, source);
	if (value?.type === "TemplateLiteral") return value.expressions.length ? "" : value.quasis[0].value.cooked;
	return typeof value?.value === "string" ? value.value : "";
}
// src/lint/rules/no-lost-update.js
/** Finds writes of a value that was computed from storage before an `await`. */
/** Calls that run a callback without a lock. */
const UNLOCKED = /^(transactionSync|forEach|map|flatMap|filter|find|some|every|reduce|sort|then|catch|finally)$/;
const LOCK = /mutex|semaphore|acquire|(?<![bc])lock/i;
const JUMP = /^(Return|Throw|Break|Continue)Statement$/;
const noLostUpdate = rule("synchronous-methods", (object, report) => {
	const line = (node) => node.loc.start.line;
	for (const steps of methodsOf(object)) for (const write of steps.risky ?? steps.writes) {
		const found = lostUpdate(write, steps, object);
		if (found) report(write.node, `This write overwrites what other calls store during the await in line ${line(found.wait.node)}: the new value was computed from a value that was read before the await, in line ${line(found.read.node)}. Read the value after the await, without another await before the write.`);
	}
});
/** Returns the methods whose calls can overlap, with their reads, writes and waits in order. */
function methodsOf(object) {
	const { units } = fieldUse(object);
	const all = [...units].map(([root, { isSetup, nodes }]) => {
		const found = {
			root,
			isSetup,
			nodes,
			reads: [],
			writes: [],
			waits: []
		};
		for (const node of nodes) {
			for (const read of storedReads(node, object)) found.reads.push({
				...read,
				node
			});
			for (const write of storedWrites(node, object)) found.writes.push({
				...write,
				node
			});
			const wait = waitOf(node, object);
			if (wait) found.waits.push(wait);
		}
		return found;
	});
	const callersOf = (root) => [...units].filter(([, { calls }]) => calls.has(root));
	const isOfAlarm = (root, seen = []) => {
		if (nameOf(root.parent) === "alarm") return true;
		const callers = isHidden(root) && !seen.includes(root) ? callersOf(root) : [];
		return callers.length > 0 && callers.every(([caller]) => isOfAlarm(caller, [...seen, root]));
	};
	const outsideAlarm = all.filter(({ root }) => !isOfAlarm(root)).flatMap(({ writes }) => writes);
	const methods = all.filter(({ root, isSetup, waits }) => !isSetup && waits.length > 0 && !isLocked(root, units, object));
	for (const method of methods) if (isOfAlarm(method.root)) method.risky = method.writes.filter(({ id }) => outsideAlarm.some((other) => other.id === id));
	return methods;
}
const isHidden = ({ parent }) => parent.type !== "MethodDefinition" || parent.accessibility === "private" || parent.key.type === "PrivateIdentifier";
/** Returns whether a method takes a lock, or is called in a callback that may run under a lock. */
function isLocked(root, units, { source }) {
	if (LOCK.test(source.getText(root))) return true;
	if (!isHidden(root)) return false;
	const name = nameOf(root.id ?? root.parent);
	return [...units.values()].flatMap(({ nodes }) => nodes).filter((node) => nameOf(node) === name).some((use) => isInLock(use, void 0));
}
/** Returns whether a node is in a callback below `root`, and the call with the callback may wait for other calls. */
const isInLock = (node, root) => pathTo(node, root).some((up) => isFunction(up) && !/^(Method|Property)Definition$/.test(up.parent.type) && up.type !== "FunctionDeclaration" && up.parent.callee !== up && !(up.parent.callee && UNLOCKED.test(nameOf(unwrapped(up.parent.callee)))));
function pathTo(node, root) {
	const path = [];
	for (const up of ancestors(node)) {
		if (up === root || isClass(up)) break;
		path.push(up);
	}
	return path;
}
/** Returns the read and the wait because of which a write is a lost update. */
function lostUpdate(write, method, object) {
	const { root, reads, waits } = method;
	if (isInLock(write.node, root)) return void 0;
	const origins = originsOf(write.value, write.node.range[0], object);
	for (const wait of waits) {
		const isBetween = wait.end <= write.node.range[1] && canFollow(write.node, wait, root);
		const before = reads.filter(({ node }) => node.range[1] <= wait.end);
		const isReadAgain = reads.some(({ id, node }) => id === write.id && node.range[0] >= wait.end && node.range[1] <= write.node.range[1]);
		if (!isBetween || isReadAgain) continue;
		const read = before.find(({ id, node, columns }) => id === write.id && origins.has(node) && reaches(node, wait.node) && usesColumn(write.column, columns, origins));
		if (read && !isClaimed(write, wait, method, object)) return {
			read,
			wait
		};
	}
}
/** Returns whether a write can run after a wait. */
const canFollow = (node, wait, root) => wait.within ? isWithin(node, wait.within) : isWithin(node, [...ancestors(wait.node)].find(isFunction) ?? root) && reaches(wait.node, node);
/**
* Returns whether a later node can run after a node: they are not in different branches, and no `return` is in between.
*/
function reaches(from, to) {
	let isLeft = false;
	let child = from;
	for (const up of ancestors(from)) {
		if (isWithin(to, up)) {
			const isFork = /^(If|Conditional)/.test(up.type) && child !== up.test;
			return !isLeft && !isFork && (up.type !== "SwitchStatement" || child === up.discriminant);
		}
		const last = (up.type === "SwitchCase" ? up.consequent : up.body)?.at?.(-1);
		if (isFunction(up)) isLeft = false;
		else if (/^(Return|Throw)/.test(up.type) || JUMP.test(last?.type)) isLeft = true;
		child = up;
	}
	return false;
}
/**
* Returns whether a method has claimed the value before a wait: it has written the same value, or has tested and set a
* flag, as in `if (this.isBusy) return; this.isBusy = true`.
*/
function isClaimed({ id }, { end }, { nodes, reads, writes }, object) {
	const isBefore = (node) => node.range[1] <= end;
	const tests = nodes.filter((node) => node.parent.test === node && isBefore(node));
	const tested = /* @__PURE__ */ new Set();
	for (const test of tests) originsOf(test, test.range[0], object, tested);
	const fields = [...tested].filter((node) => isField(node, object)).map(nameOf);
	const ids = new Set(reads.filter(({ node }) => tested.has(node)).map((read) => read.id));
	return writes.some((write) => isBefore(write.node) && (write.id === id || ids.has(write.id))) || nodes.some(({ type, left }) => type === "AssignmentExpression" && isBefore(left) && isField(left, object) && fields.some((name) => name === nameOf(left)));
}
/** Returns whether a value is made from the column to which it is written. */
const usesColumn = (column, columns, origins) => !column || columns.trim() === column || [...origins].some((node) => /^(Identifier|MemberExpression|Property)$/.test(node.type) && nameOf(node) === column);
/** Returns the nodes from which a value at a position is computed. It follows the last values of variables. */
function originsOf(expression, position, object, seen = /* @__PURE__ */ new Set()) {
	const isAway = (node) => isClass(node) || node.type === "AwaitExpression" && Boolean(waitOf(node, object));
	if (!expression || seen.has(expression) || isAway(expression)) return seen;
	for (const part of [expression, ...descendants(expression, object.source, isAway)]) {
		seen.add(part);
		const writes = ((part.type === "Identifier" && variableOf(part, object.source))?.references ?? []).filter((reference) => reference.isWrite() && reference.identifier.range[0] < position).toReversed();
		const whole = writes.findIndex((reference) => !reference.isRead());
		for (const { writeExpr, identifier } of writes.slice(0, whole + 1 || writes.length)) {
			seen.add(identifier).add(identifier.parent);
			originsOf(writeExpr, identifier.range[0], object, seen);
		}
	}
	return seen;
}
// src/lint/rules/no-missing-await.js
/** Finds calls of clients and stubs whose promise is used as if it were the result. */
const TEXT = "the text has [object Promise] in place of the result";
const JSON_TEXT = "JSON has {} or nothing in place of the result";
const COPY = "a promise can be neither stored nor copied, so this throws";
const ITEMS = "a promise has no items and no properties of its own";
const NUMBER = "a promise is not a number, so the outcome never depends on the result";
const CONDITION = "a promise is always true, and never equals another value";
/**
* The functions that must not receive a promise, by the text of the callee. `within` is true if a promise inside an
* object or a list is wrong, too.
*/
const SINKS = [
	{
		name: /^JSON\.stringify$|^((Next)?Response|c|ctx|context|res|response|reply)\.json$/,
		effect: JSON_TEXT,
		within: true
	},
	{
		name: /\b(kv|storage)\.put$|^structuredClone$|\b(postMessage|serializeAttachment)$/,
		effect: COPY,
		within: true
	},
	{
		name: /\bsql\.exec$/,
		effect: COPY
	},
	{
		name: /^(String|encodeURIComponent|(Next)?Response|\w*Error|(c|context)\.text)$/,
		effect: TEXT
	},
	{
		name: /\b(localStorage|sessionStorage)\.setItem$|(^|\.)(ws|socket|webSocket)\.send$/,
		effect: TEXT
	},
	{
		name: /^(Number|BigInt|parseInt|parseFloat|Math\.\w+)$/,
		effect: NUMBER
	},
	{
		name: /^(Object\.(keys|values|entries)|Array\.from)$/,
		effect: ITEMS
	}
];
const ELEMENT_TEXT = /^(textContent|innerText|innerHTML)$/;
const noMissingAwait = fileRule("calls", ({ sourceCode: source }, report) => {
	if (!MENTION.test(source.text)) return;
	for (const call of descendants(source.ast, source, () => false)) {
		if (!isRemoteCall(call, source)) continue;
		const name = nameOf(unwrapped(call.callee)) ?? "the method";
		for (const { node, effect } of wrongUses(call, source, {
			isCall: true,
			isPromise: true
		})) report(node, `This is the promise of '${name}', not its result: ${effect}. Write await before the call, or await Promise.all() for a list of calls.`);
	}
});
/**
* Follows a promise upwards to where it is used as a value, and yields the expression to await. `isCall` is true as
* long as the node is the call itself; `isWithin` is true if the promise is in an object or a list.
*/
function* wrongUses(node, source, { isCall, isWithin, isPromise, promise, seen = /* @__PURE__ */ new Set() }) {
	if (seen.has(node)) return;
	seen.add(node);
	const awaited = isPromise ? node : promise;
	const effect = effectOf(node, {
		isCall,
		isWithin
	}, source);
	if (effect) yield {
		node: awaited,
		effect
	};
	else for (const next of passedTo(node, {
		isCall,
		isWithin
	}, source)) yield* wrongUses(next.node, source, {
		isWithin,
		...next,
		promise: awaited,
		seen
	});
}
/** Returns the nodes that also have the promise: expressions around a node, and uses of a variable or a function. */
function passedTo(node, { isCall, isWithin }, source) {
	const { parent: up } = node;
	const callee = up.type === "CallExpression" && up.callee !== node && source.getText(up.callee);
	if (/^TS(As|NonNull|Satisfies)/.test(up.type)) return [{
		node: up,
		isCall
	}];
	if (up.type === "ChainExpression" || /^(Conditional|Logical)/.test(up.type)) return [{ node: up }];
	if (/^(Array|Object)Expression$/.test(up.type)) return [{
		node: up,
		isWithin: true
	}];
	if (up.type === "SpreadElement") return [{ node: up.parent }];
	if (up.type === "Property") return up.value === node ? [{
		node: up,
		isWithin: true
	}] : [];
	if (up.type === "MemberExpression" && up.object === node && !isWithin) return [{ node: up.parent.callee === up ? up.parent : up }];
	if (/^Promise\.(all|allSettled|any|race|resolve)$/.test(callee)) return [{
		node: up,
		isWithin: false,
		isPromise: true
	}];
	if (/^Object\.(assign|fromEntries)$/.test(callee)) return [{
		node: up,
		isWithin: true
	}];
	if (up.type === "VariableDeclarator" && up.init === node) return readsOf(up.id, isWithin, source);
	return up.type === "ReturnStatement" || isFunction(up) && up.body === node ? callsOf([...ancestors(node)].find(isFunction), source) : [];
}
/** Returns the places that read a constant. An object whose properties the file uses one by one may be filled later. */
function readsOf(id, isWithin, source) {
	const references = id.type === "Identifier" ? variableOf(id, source).references : [];
	const reads = references.filter(({ init }) => !init).map(({ identifier }) => identifier);
	const isOpen = ({ parent }) => isWithin && parent.type === "MemberExpression";
	return references.every(({ init, writeExpr }) => init || !writeExpr) && !reads.some(isOpen) ? reads.map((node) => ({
		node,
		isPromise: true
	})) : [];
}
/** Returns the calls of a function, or the list that `map` makes with it. */
function callsOf(made, source) {
	const { parent } = made;
	if (parent.type === "CallExpression" && parent.arguments[0] === made) return nameOf(unwrapped(parent.callee)) === "map" ? [{
		node: parent,
		isWithin: true
	}] : [];
	const id = made.id ?? parent.id;
	return (id ? readsOf(id, false, source) : []).map(({ node }) => node.parent.callee === node && {
		node: node.parent,
		isPromise: true
	}).filter(Boolean);
}
/** Returns the effect if the node above a promise uses it as a value; otherwise undefined. */
function effectOf(node, { isCall, isWithin }, source) {
	const { parent: up } = node;
	const { type, operator } = up;
	if (/^(Call|New)Expression$/.test(type) && up.callee !== node) {
		const callee = source.getText(up.callee);
		return SINKS.find(({ name, within }) => name.test(callee) && (within || !isWithin))?.effect;
	}
	if (type === "TemplateLiteral" && up.parent.type !== "TaggedTemplateExpression") return TEXT;
	if (isWithin) return void 0;
	if (type === "SpreadElement" || type === "ForOfStatement" && !up.await && up.right === node) return ITEMS;
	if (type === "AssignmentExpression" && operator === "=") return ELEMENT_TEXT.test(nameOf(up.left)) ? TEXT : void 0;
	const calculation = /^(Binary|Assignment|Unary)/.test(type) && operator.replace(/(?<=[-+*/%])=$/, "");
	if (calculation === "+") return TEXT;
	if (/^([-*/%~]|\*\*|[<>]=?)$/.test(calculation)) return NUMBER;
	const isTested = up.test === node || type === "LogicalExpression" && up.left === node;
	const isCompared = /^([!=]==?|!)$/.test(calculation);
	return isCall && (isTested || isCompared) ? CONDITION : void 0;
}
// src/lint/rules/no-missing-method.js
/** Finds entries of a contract for which the class has no method. */
const noMissingMethod = rule("contract", ({ contracts, methods, isWhole }, report) => {
	for (const contract of isWhole ? contracts : []) for (const entry of contract?.properties ?? []) {
		const name = entry.key && nameOf(entry);
		const method = methods.get(name);
		if (!name || method && !isFieldMember(method)) continue;
		report(entry.key, `The contract lists '${name}', which is ${method ? "a function in a field, and " : ""}not a method of the class. So every call to the class fails in development, and so does a deployment. Write the method, or remove the entry from the contract.`);
	}
});
// src/lint/rules/no-missing-sqlite.js
/**
* Finds classes that use SQLite storage and do not have it, and classes that a configuration binds but does not
* declare.
*/
/** The texts for each form of a configuration: how it declares a class, and how it gives a class the old storage. */
const FORMS = {
	exports: {
		lacks: "its exports declare no such class",
		add: (name) => `Add to exports: "${name}": { "type": "durable-object", "storage": "sqlite" }.`,
		old: (name) => `gives '${name}' the storage "legacy-kv" in exports`,
		change: "Give the class the storage \"sqlite\""
	},
	migrations: {
		lacks: "its migrations create no such class",
		add: () => "List it in new_sqlite_classes of a new migration.",
		old: (name) => `lists '${name}' in new_classes`,
		change: "List the class in new_sqlite_classes"
	}
};
const noMissingSqlite = rule("storage", (object, report) => {
	const { keyValue, undeclared, node } = object;
	if (undeclared) {
		const { config, form, name, unbound, place = "" } = undeclared;
		const { add, lacks } = FORMS[form];
		const near = nearest(name, unbound);
		const advice = near ? `It has ${near}: did you mean that?` : add(name);
		report(node.id ?? node, `${config} binds '${name}'${place}, but ${lacks}, so every call to it fails. ${advice}`);
	}
	for (const use of keyValue ? codeOf(object) : []) {
		const { config, form, name, place = "" } = keyValue;
		const { change, old } = FORMS[form];
		if (use.type === "MemberExpression" && kindOf(use, object) === "sync" && kindOf(use.object, object) === "storage") report(use.property, `This storage has no SQL and no kv: ${config} ${old(name)}${place}, so the first use throws. ${change}. A class that is already deployed needs a new name.`);
	}
});
// src/lint/rules/no-shared-client.js
/** Finds clients at module scope of a Worker whose WebSocket several requests would share. */
/** The handlers that make an exported object a Worker. */
const HANDLER = /^(fetch|scheduled|queue|email)$/;
const noSharedClient = fileRule("calls", (context, report) => {
	const { sourceCode: source } = context;
	if (!source.text.includes("createRpcClient") || !isWorker(context)) return;
	for (const node of descendants(source.ast, source, () => false)) {
		if (node.type !== "CallExpression" || !isShared(node, source)) continue;
		if ([node, ...resultsOf(node, source)].some((made) => opensSocket(unwrapped(made), source))) report(node, "All requests share this client, but its WebSocket works only in the request that opened it: in production, calls of other requests fail. Create the client in the handler, or set transport: 'http', or a bindingTransport for an object of this Worker.");
	}
});
/** Returns whether a module exports handlers, a Durable Object class, or another class of the platform. */
function isWorker(context) {
	const { sourceCode: source } = context;
	const objects = new Set(durableObjects(context).map(({ node }) => node));
	const isOfWorker = (expression) => {
		const value = valueOf(expression, source);
		if (isClass(value)) return objects.has(value) || nameOf(value.superClass ?? {}) === "WorkerEntrypoint";
		if (value?.type === "NewExpression") return nameOf(value.callee) === "Hono";
		if (value?.type !== "CallExpression") return Boolean(value && hasHandler(value));
		return nameOf(value.callee) === "lumenizeRpcDO" || value.arguments.some(isOfWorker);
	};
	return source.ast.body.some(({ type, declaration, specifiers, source: from }) => {
		if (!/^Export(Default|Named)/.test(type) || from) return false;
		return [...[declaration, ...(declaration?.declarations ?? []).map(({ init }) => init)], ...(specifiers ?? []).map(({ local }) => local)].some(isOfWorker);
	});
}
const hasHandler = ({ properties }) => properties?.some((property) => property.key && HANDLER.test(nameOf(property)));
/** Returns whether the value of a call is kept at module scope, also if a request fills the variable. */
function isShared(call, source) {
	const path = [...ancestors(call)];
	const isInside = (node) => isFunction(node) || /^PropertyDefinition$/.test(node.type) && !node.static;
	if (!path.some(isInside)) return true;
	const { left } = path.find(({ type }) => !/^(TS|Logical|Chain|Await)/.test(type));
	const variable = left?.type === "Identifier" && variableOf(left, source);
	return Boolean(variable) && /^(module|global)$/.test(variable.scope.type);
}
/** Returns whether a call is `createRpcClient` with the transport that opens WebSockets. */
function opensSocket(call, source) {
	if (call?.type !== "CallExpression" || importedName(call.callee, source) !== "createRpcClient") return false;
	if (call.arguments.length < 3) return true;
	const options = valueOf(call.arguments[2], source);
	if (!options.properties?.every(({ type }) => type === "Property")) return false;
	const transport = options.properties.find((property) => nameOf(property) === "transport");
	return !transport || transport.value.value === "websocket";
}
// src/lint/rules/no-timer.js
/** Finds timers, which keep an object awake and end with its memory. */
const TIMER = /^((globalThis|self)\.)?set(Timeout|Interval|Immediate)$|^scheduler\.wait$/;
/** The shortest period, in milliseconds, for which an alarm can replace an interval. */
const SHORTEST = 100;
const noTimer = callRule("timers", (call, text, object, report) => {
	const { callee } = call;
	if (!TIMER.test(text) || definition(callee.object ?? callee, object.source)) return;
	if (!(text.endsWith("Interval") ? isLoopOrPing : isPartOfWait)(call, object, text)) report(callee, `${text} keeps this object awake, and is forgotten when the object is evicted or redeployed. Use ctx.storage.setAlarm() with alarm(), or AbortSignal.timeout() to limit the time of a fetch.`);
});
/**
* Returns whether a timer is a pause, a deadline, or a step of the event loop. The call that waits keeps the object
* awake anyway.
*/
function isPartOfWait(call, { source }, text) {
	if (text === "scheduler.wait") return call.parent.type === "AwaitExpression";
	const [callback, delay] = call.arguments;
	const ends = /^(\(\)|\w+) => (\{\s*)?(void )?[\w.]*(resolve|reject|abort)\w*(\?\.)?\([^;]*\);?(\s*\})?$/i;
	return !delay || delay.value === 0 || [...ancestors(call)].some(({ type, callee }) => type === "NewExpression" && nameOf(callee) === "Promise") || ends.test(source.getText(callback));
}
/**
* Returns whether an interval is the loop of a game, or writes to an open response or to a socket without hibernation.
* Such a connection keeps the object awake anyway, and ends with its memory.
*/
function isLoopOrPing({ arguments: [callback, period] }, object) {
	const { node, source } = object;
	const text = callback ? source.getText(callback) : "";
	return numberOf(period, object) < SHORTEST || /\.enqueue\(|\bwriter\s*\.write\(/.test(text) || /\.send\(/.test(text) && !/\bacceptWebSocket\b/.test(source.getText(node));
}
/** Returns the value of a numeric constant, also as a product or quotient, or held in a field; otherwise NaN. */
function numberOf(expression, object, depth = 0) {
	const value = expression && valueOf(expression, object.source);
	if (!value || depth > 3) return NaN;
	if (value.type === "BinaryExpression") {
		const [left, right] = [value.left, value.right].map((side) => numberOf(side, object, depth + 1));
		return {
			"*": left * right,
			"/": left / right
		}[value.operator];
	}
	if (!isField(value, object)) return typeof value.value === "number" ? value.value : NaN;
	const held = (object.fields.get(nameOf(unwrapped(value))) ?? []).filter((field) => field.value);
	return held.length === 1 ? numberOf(held[0].value, object, depth + 1) : NaN;
}
// src/lint/rules/no-type-engine.js
/** Finds imports of TypeBox whose builders lumenize-rpc/typebox also has. */
const FROM = "lumenize-rpc/typebox";
/**
* The names of the builders of lumenize-rpc/typebox. They are listed here, because reading the names from the module
* would make a bundler keep all builders.
*/
const BUILDERS = new Set("Any Array BigInt Boolean Cyclic Enum Function Integer Intersect KeyOf Literal Never Null Number Object Omit Optional Partial Pick Readonly Record Ref Refine Required String This Tuple Undefined Union Unknown Unsafe Void".split(" "));
const noTypeEngine = fileRule("contract", ({ sourceCode: source }, report) => {
	for (const node of source.ast.body) {
		if (!(node.type === "ImportDeclaration" && node.source.value === "typebox") || node.importKind === "type") continue;
		const names = node.specifiers.filter(({ importKind }) => importKind !== "type").flatMap((specifier) => namesOf(specifier, source));
		if (names.length === 0 || !names.every(isOffered)) continue;
		const fix = fixOf(node, source);
		report(node, `TypeBox's builders add up to 77 kB to the Worker, which each start evaluates. Import the builders of ${FROM}, which add less than 5 kB, and use \`import type\` for types.`, fix && ((fixer) => fixer.replaceText(node, fix)));
	}
}, { fixable: "code" });
/** Returns whether a name is the name of an offered builder, or of a type. */
const isOffered = (name) => BUILDERS.has(name) || /^(Static|T[A-Z]\w*)$/.test(name);
/** Returns whether a specifier imports all builders at once: `* as Type`, `{ Type }`, or the default. */
const isWhole = ({ type, imported }) => type !== "ImportSpecifier" || /^(Type|default)$/.test(nameOf(imported));
/** Returns the names that the file uses of an import. The name is `undefined` if it cannot be known. */
function namesOf(specifier, source) {
	if (!isWhole(specifier)) return [nameOf(specifier.imported)];
	return variableOf(specifier.local, source).references.map(({ identifier: { parent } }) => parent.type === "MemberExpression" ? nameOf(parent) : parent.type === "TSQualifiedName" ? parent.right.name : void 0);
}
/** Returns the import that replaces an import of TypeBox; `undefined` if that needs more than one line. */
function fixOf({ specifiers, source: from }, source) {
	const [only] = specifiers;
	if (specifiers.length === 1 && isWhole(only)) return `import * as ${only.local.name} from '${FROM}';`;
	if (specifiers.some(isWhole)) return void 0;
	const text = source.getText(from.parent);
	return `${text.slice(0, text.lastIndexOf("typebox"))}${FROM}${text.slice(text.lastIndexOf("typebox") + 7)}`;
}
// src/lint/rules/no-unknown-keyword.js
/** Finds keywords in the schemas of a contract that would check nothing. */
/** For each TypeBox function: the types of its schema, and the index of the argument that has the keywords. */
const KINDS = new Map([
	...[
		"String",
		"Number",
		"Integer",
		"BigInt",
		"Boolean",
		"Null"
	].map((kind) => [kind, {
		types: [kind.toLowerCase()],
		at: 0
	}]),
	...[
		"Any",
		"Unknown",
		"Unsafe"
	].map((kind) => [kind, {
		types: [],
		at: 0
	}]),
	...[
		"Enum",
		"Intersect",
		"Literal",
		"Union"
	].map((kind) => [kind, {
		types: [],
		at: 1
	}]),
	["TemplateLiteral", {
		types: ["string"],
		at: 1
	}],
	["Array", {
		types: ["array"],
		at: 1
	}],
	["Tuple", {
		types: ["array"],
		at: 1
	}],
	["Object", {
		types: ["object"],
		at: 1
	}],
	["Record", {
		types: ["object"],
		at: 2
	}]
]);
const noUnknownKeyword = rule("contract", ({ contracts, source }, report) => {
	for (const call of schemasIn(contracts, source)) {
		const { types, at } = KINDS.get(nameOf(call.callee)) ?? {};
		const options = types && call.arguments[at] && valueOf(call.arguments[at], source);
		for (const property of options?.properties ?? []) {
			const keyword = property.key && nameOf(property);
			const problem = keyword && keywordProblem(keyword, types);
			if (problem) report(property.key, `The schema has ${problem.replace(/\w$|\)$/, "$&.")} Every call to the class fails in development, and so does a deployment. Write a keyword that checks the type.`);
		}
	}
});
/** Returns the calls of TypeBox in contracts, and in the file's variables that contracts use. Each call occurs once. */
function schemasIn(contracts, source) {
	const seen = /* @__PURE__ */ new Set();
	const visit = (node) => {
		if (!node || seen.has(node)) return;
		seen.add(node);
		if (node.type === "Identifier") visit(valueOf(node, source));
		for (const child of descendants(node, source, () => false)) if (child.type === "Identifier") visit(valueOf(child, source));
		else seen.add(child);
	};
	for (const contract of contracts) visit(contract);
	return [...seen].filter(({ type, callee }) => type === "CallExpression" && isTypeBox(callee.object, source));
}
/** Returns whether a node is TypeBox's `Type`, under any imported name. */
function isTypeBox(node, source) {
	const declared = node?.type === "Identifier" && definition(node, source);
	return declared?.type === "ImportBinding" && /^(lumenize-rpc\/)?typebox$/.test(declared.parent.source.value);
}
// src/lint/rules/no-unlisted-method.js
/** Finds public methods that no contract lists. */
const noUnlistedMethod = rule("contract", ({ node, contracts, source }, report) => {
	const entries = contracts.flatMap((contract) => contract?.properties ?? [void 0]);
	if (!entries.length || entries.some((entry) => entry?.type !== "Property")) return;
	const listed = /* @__PURE__ */ new Set([...entries.map(nameOf), ...usedByCapabilities(source)]);
	for (const member of node.body.body) {
		const name = nameOf(member);
		const isPublic = !member.static && !/private|protected/.test(member.accessibility);
		if (!(!isFieldMember(member) && isFunction(unwrapped(member.value)) && !/[gs]et/.test(member.kind)) || !isPublic || !name || /^[#_]/.test(name) || HANDLER$1.test(name)) continue;
		if (!listed.has(name)) report(member.key, `'${name}' is public but in no contract, so clients cannot call it. List it in the contract, by internal([…]) if only other objects and Workers call it, or mark it private.`);
	}
});
/**
* Returns the names that the file's capabilities may use of its object. Methods with these names cannot be private.
*/
function usedByCapabilities(source) {
	if (!/\bcapability\(/.test(source.text)) return [];
	return [...descendants(source.ast, source, () => false)].filter(({ type, object }) => type === "MemberExpression" && unwrapped(object).type !== "ThisExpression").map(nameOf);
}
// src/lint/fields/handles.js
/** Finds fields whose values cannot be stored, and fields that certainly hold data. */
/** Types and values that can only be in memory. */
const HANDLE = /\bPromise|\bWeak(Map|Set|Ref)|Controller\b|Timeout\b|Timer\b|setInterval|=>|\bFunction\b|\bRpc(Stub|Target|Session)\b|Stub\b|\bFetcher\b|\bService\b|Stream\b|\b(Re|Wri|Rea)(ader|ter)\b|Writer\b|\basync\b|Emitter\b|Iterator\b|Generator\b/;
const SOCKET = /\bWebSocket\b/;
/** Names of fields whose loss costs only time. */
const TRANSIENT_NAME = /cache|memo|promise|resolve|waiter|waiting|listener|callback|in_?flight|debounce|throttle|timer|timeout|heartbeat|abort|controller|warned|verbose|debug|^[#_]*(ws|(web)?socket|conn(ection)?|client|stub)$/i;
const BOOLEAN = /^(: )?(boolean|true|false)$/;
const textsOf = (name, object) => object.fields.get(name) ?? [];
const isOfHandle = (type) => HANDLE.test(type) || SOCKET.test(type);
/** Returns whether an object can lose a field without losing data. */
function isTransient(name, object) {
	return TRANSIENT_NAME.test(name) || textsOf(name, object).some(({ text, value }) => {
		if (value && /Function/.test(value.type)) return true;
		if (value?.type === "NewExpression" && !isContainer(value)) return true;
		const full = withTypes(text, object);
		return isOfHandle(full) || BOOLEAN.test(text);
	});
}
const isContainer = ({ callee }) => /^(Map|Set|Array|Date)$/.test(callee.name);
/** Returns the text of a type, and the texts of the file's types and classes that it names. */
function withTypes(text, { source, types }, depth = 0) {
	if (depth > 3) return text;
	return [text, ...[...new Set(text.match(/\b[A-Z]\w*\b/g) ?? [])].filter((name) => types.has(name)).map((name) => withTypes(source.getText(types.get(name)), {
		source,
		types
	}, depth + 1))].join(" ");
}
const HANDLE_NAME = /^(resolve|reject|(web)?socket|ws|controller|callback|abort\w*)$/i;
const HANDLE_MAKER = /^(dup|setTimeout|setInterval|WebSocketPair)$/;
/**
* Returns whether a write assigns a value that can only be in memory: `{ resolve, reject }`, a callback, a stub, or a
* socket. The current time also counts, because throttles store it.
*/
const isHandle = ({ values }, object) => values.some((value) => isNow(value, object) || contains(value, (node) => isHandleNode(node, object), object));
const isNow = (value, object) => object.source.getText(valueOf(value, object.source)) === "Date.now()";
function isHandleNode(node, object) {
	if (/^(ArrowFunction|Function)Expression$/.test(node.type)) return true;
	if (node.type === "Property") return HANDLE_NAME.test(nameOf(node));
	if (node.type === "Identifier") return HANDLE_NAME.test(node.name) || isOfHandle(typeOf(node, object)) || isAccepted(node, object);
	return Boolean(node.callee) && HANDLE_MAKER.test(nameOf(unwrapped(node.callee)));
}
/** Returns whether a variable holds a socket: it occurs in `socket.accept()` or `acceptWebSocket(socket)`. */
function isAccepted(node, { source }) {
	return (variableOf(node, source)?.references ?? []).some(({ identifier: { parent } }) => /^accept(WebSocket)?$/.test(nameOf(unwrapped(parent.callee ?? parent))));
}
function typeOf(identifier, object) {
	const annotation = variableOf(identifier, object.source)?.defs[0]?.name.typeAnnotation;
	return annotation ? withTypes(object.source.getText(annotation), object) : "";
}
const DATA_TYPE = /^: (readonly )?(string|number|bigint|Date|Array<|Set<|Map<|Record<|\[|\{)|\[\]/;
const DATA_VALUE = /^(Literal|TemplateLiteral|ArrayExpression|ObjectExpression|UpdateExpression|BinaryExpression)$/;
/** Returns whether a field certainly holds data, and not an object with behaviour of its own. */
function holdsData({ name, values, node }, object) {
	const isData = (value) => DATA_VALUE.test(value?.type) || value?.type === "NewExpression" && isContainer(value);
	return node.parent.type === "UpdateExpression" || values.some((value) => isData(unwrapped(value))) || textsOf(name, object).some(({ text, value }) => DATA_TYPE.test(text) || value && value.raw !== "null" && isData(value));
}
// src/lint/index.js
/** The conventions of AGENTS.md as lint rules. `.oxlintrc.json` enables them. */
var lint_default = {
	meta: { name: "durable-object" },
	rules: {
		"no-async-storage": noAsyncStorage,
		"no-guessable-id": noGuessableId,
		"no-idle-async": noIdleAsync,
		"no-lost-socket": noLostSocket,
		"no-lost-update": noLostUpdate,
		"no-missing-await": noMissingAwait,
		"no-missing-method": noMissingMethod,
		"no-missing-sqlite": noMissingSqlite,
		"no-shared-client": noSharedClient,
		"no-timer": noTimer,
		"no-type-engine": noTypeEngine,
		"no-unknown-keyword": noUnknownKeyword,
		"no-unlisted-method": noUnlistedMethod,
		"no-unstored-field": rule("state", (object, report) => {
			const { writes, isKept } = fieldUse(object);
			const mayBeLost = writes.filter((write) => write.isVolatile || isHandle(write, object));
			const done = new Set(mayBeLost.map(({ name }) => name));
			for (const write of writes) {
				const { name, node, isSetup } = write;
				if (isSetup || done.has(name) || isKept(name) || isTransient(name, object)) continue;
				if (!holdsData(write, object) || isRestorable(write, object)) continue;
				done.add(name);
				report(node, `'${name}' is in memory only, so hibernation, eviction and every deployment lose it. Write each change to storage.kv, and restore the field in the constructor. Keep data of a socket in its serializeAttachment().`);
			}
		})
	}
};
export { lint_default as default };
