import { type Answer } from '../conversations/framework.ts'
import type { Persona } from './accounts.ts'
import type { Side } from './application.ts'
import type { Operation } from './description.ts'
import { valueFor } from './pair.ts'

/** A request to both sides; its values may be pairs. */
export interface Request {
  readonly operation: Operation
  readonly persona: Persona
  /** What this one asks: `plain`, or which filter or data. */
  readonly kind: string
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** Sends a file instead of a body. */
  readonly file?: boolean
}

/** A request as one side gets it. */
export interface WrittenRequest {
  readonly method: string
  /** Below the root of the API. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function writePath(side: Side, { operation, path, query }: Request): string {
  const names = Object.keys(path).toSorted((one, other) => other.length - one.length)
  const filled = names.reduce(
    (text, name) =>
      text.replaceAll(new RegExp(`:${name}(?![A-Za-z0-9_])\\??`, 'g'), () =>
        encodeURIComponent(asText(valueFor(side, path[name])))
      ),
    operation.path
  )
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, asText(valueFor(side, value))])
  const search = new URLSearchParams(pairs).toString()
  return search === '' ? filled : `${filled}?${search}`
}

function fileForm(): FormData {
  const form = new FormData()
  form.set('file', new File(['A note.\n'], 'note.txt', { type: 'text/plain' }))
  return form
}

/** Writes a request for one side. */
export function writeRequest(
  side: Side,
  request: Request,
  signedIn: { readonly token: unknown; readonly headers: Readonly<Record<string, string>> }
): WrittenRequest {
  const { token } = signedIn
  const { operation, headers, body, file } = request
  const ofRequest = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    asText(valueFor(side, value))
  ])
  const hasJson = body !== undefined && file !== true
  return {
    method: operation.verb.toUpperCase(),
    path: writePath(side, request),
    headers: {
      accept: 'application/json',
      ...signedIn.headers,
      ...Object.fromEntries(ofRequest),
      ...(hasJson && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: asText(valueFor(side, token)) })
    },
    ...(hasJson && { body: JSON.stringify(valueFor(side, body)) }),
    ...(file === true && { body: fileForm() })
  }
}

const requestTimeoutMs = 10_000

/** The answer of one side; status 0 where there is none in time. */
export async function send(base: string, { method, path, headers, body }: WrittenRequest): Promise<Answer> {
  try {
    const response = await fetch(base + path, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body !== undefined && { body })
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  } catch (error) {
    return { status: 0, headers: {}, body: String(error) }
  }
}

/** There was no answer within 10 seconds, but the process may live. */
export const isSilence = ({ status, body }: Answer): boolean => status === 0 && body.startsWith('TimeoutError')
