/** Answers `{prefix}/openapi.json` with the OpenAPI document of the classes. */
import type { ClassWithContract } from '../server/contract/description.ts';
import { callHook, type RouteOptions } from '../server/routing/router.ts';
import type { OpenApiDocument, OpenApiOptions, OpenApiSettings } from './openapi.ts';
import { refusal, refuse } from './problems.ts';

/** The path of the document, after the prefix. */
export const DOCUMENT_SEGMENT = 'openapi.json';

/** The settings of the document that `routeHttpRequest` serves. */
export interface ServedOpenApi extends OpenApiSettings {
  /** The function `openApi`. It is an option, so that a Worker which serves no document does not contain it. */
  generator: (
    classes: Readonly<Record<string, ClassWithContract>>,
    options: OpenApiOptions,
  ) => OpenApiDocument;
}

/** Documents as texts, by the options from which they were made. */
const texts = new WeakMap<ServedOpenApi, string>();

/** The route that the hook receives. Its names are empty, since the document belongs to no object. */
const NO_ROUTE = { binding: '', instance: '' };

/** @param classes - the classes that callers can reach */
export async function answerDocument(
  request: Request,
  served: ServedOpenApi,
  classes: Readonly<Record<string, ClassWithContract>>,
  options: RouteOptions,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const headers = { Allow: 'GET, HEAD, OPTIONS' };
    return refusal('BAD_MESSAGE', 'Read the document by GET or HEAD', 405, {}, headers);
  }
  const checked = await callHook(request, NO_ROUTE, options.onBeforeRequest);
  if (checked instanceof Response) return checked;
  let text = texts.get(served);
  if (text === undefined) {
    const { generator, ...settings } = served;
    try {
      text = JSON.stringify(generator(classes, { ...settings, prefix: options.prefix }));
    } catch (error) {
      console.error(error);
      return refuse(500, 'The OpenAPI document could not be made: see the log of the Worker');
    }
    texts.set(served, text);
  }
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
}
