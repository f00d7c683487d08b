import { readBounded } from '@modelwire/core/plugin'

/** A question to another server. */
export interface JsonQuestion {
  /** Seconds. */
  readonly timeout: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as a form, by POST. */
  readonly form?: URLSearchParams
}

/** An answer; `body` is undefined where it is not JSON. */
export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

/** Bytes of an answer that are read. */
const longestAnswer = 1_048_576

/** The text of an answer. @throws {AnswerTooLong} */
export async function readText({ body }: Response): Promise<string> {
  return body === null ? '' : readBounded(body, longestAnswer)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // undefined where it is not JSON; the caller reports that.
    return undefined
  }
}

/**
 * Sends a request to another server. Redirects are not followed: what is sent is only meant for this address.
 * @throws {AnswerTooLong} likewise whatever `fetch` throws
 */
export async function fetchJson(address: string, { timeout, headers = {}, form }: JsonQuestion): Promise<JsonAnswer> {
  const response = await fetch(address, {
    method: form === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeout * 1000),
    ...(form === undefined ? {} : { body: form })
  })
  return { status: response.status, body: parse(await readText(response)) }
}
