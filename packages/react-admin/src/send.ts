import { toHttpError } from './errors.ts'
import type { HeaderValues, ModelwireDataProviderOptions } from './options.ts'

/** A request to the API. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the URL of the API, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

/** A successful response. */
export interface ApiAnswer {
  /** The parsed body; undefined if there is none. */
  readonly body: unknown
  readonly headers: Headers
}

/** Sends a request. @throws {HttpError} the answer has an error status */
export type Send = (request: ApiRequest) => Promise<ApiAnswer>

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // A proxy in between may answer HTML: the status says what went wrong.
    return undefined
  }
}

const definedOf = (headers: HeaderValues): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** Makes the function that sends requests to the API at a URL. */
export function createSend(url: string, options: ModelwireDataProviderOptions): Send {
  const address = url.replace(/\/+$/, '')
  const { fetch: own, headers: ownHeaders = {}, conflictMessage } = options
  const fetchAnswer = own ?? ((target, init) => fetch(target, init))
  return async ({ method = 'GET', path, headers, body, signal }) => {
    const answer = await fetchAnswer(`${address}/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...definedOf(typeof ownHeaders === 'function' ? await ownHeaders() : ownHeaders)
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal })
    })
    const parsed = parse(await answer.text())
    if (answer.ok) return { body: parsed, headers: answer.headers }
    const { status, statusText } = answer
    throw toHttpError({ status, statusText, body: parsed }, conflictMessage)
  }
}
