import { isPlainObject } from '@modelwire/core/plugin'
import { CommandError } from '../../errors.ts'
import type { ControlAccess } from './control-file.ts'

/** How long a control API may take. */
const requestTimeoutMs = 30_000

interface ControlAnswer {
  readonly status: number
  readonly answer: unknown
}

async function send({ url, token }: ControlAccess, path: string, body: object | undefined): Promise<ControlAnswer> {
  try {
    const response = await fetch(new URL(path, url), {
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body && { method: 'POST', body: JSON.stringify(body) })
    })
    return { status: response.status, answer: await response.json() }
  } catch (cause) {
    const why = cause instanceof SyntaxError ? 'is not a control API of modelwire' : 'does not answer'
    throw new CommandError('NO_CONTROL', `${url} ${why}: is the server still running?`, 1, { cause })
  }
}

/**
 * Sends a request to a running control API.
 * @param body sent by POST where it is there
 * @throws {CommandError} NO_CONTROL: it does not answer, or something else does; else with the code of its error
 */
export async function askControl(access: ControlAccess, path: string, body?: object): Promise<unknown> {
  const { status, answer } = await send(access, path, body)
  if (status < 300) return answer
  const error: unknown = isPlainObject(answer) ? answer['error'] : undefined
  const { code = 'NO_CONTROL', message = `${access.url} answers ${status}` } = isPlainObject(error) ? error : {}
  throw new CommandError(String(code), String(message), 1)
}
