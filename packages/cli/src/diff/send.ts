import { CommandError } from '../errors.ts'
import type { Answer } from './compare.ts'
import type { Request } from './traffic.ts'

/** Milliseconds to wait for an answer. */
const requestTimeoutMs = 30_000

/**
 * Sends a request to a server. Redirects are answers, too.
 * @throws {CommandError} NO_ANSWER: the server cannot be reached, or does not answer in time
 */
export async function send(server: URL, { method, path, headers, body }: Request): Promise<Answer> {
  try {
    const response = await fetch(server.origin + server.pathname.replace(/\/$/, '') + path, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body })
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause)
    throw new CommandError('NO_ANSWER', `${server.origin} does not answer ${method} ${path}: ${why}`, 1)
  }
}
