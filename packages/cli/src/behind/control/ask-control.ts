import { isPlainObject } from '@modelwire/core'
import { CommandError } from '../../errors.ts'
import type { ControlAccess } from './control-file.ts'

/** Milliseconds that a control API may take. */
const patience = 30_000

async function send(
  { url, token }: Omit<ControlAccess, 'pid'>,
  path: string,
  body: object | undefined
): Promise<Response> {
  try {
    return await fetch(new URL(path, url), {
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(patience),
      ...(body && { method: 'POST', body: JSON.stringify(body) })
    })
  } catch {
    throw new CommandError('NO_CONTROL', `${url} does not answer: is the server still running?`, 1)
  }
}

/**
 * Asks a running control API.
 * @param body sent by POST where it is there
 * @throws {CommandError} NO_CONTROL: it does not answer; else with the code of its error
 */
export async function askControl(access: Omit<ControlAccess, 'pid'>, path: string, body?: object): Promise<unknown> {
  const response = await send(access, path, body)
  const answer: unknown = await response.json()
  if (response.ok) return answer
  const error: unknown = isPlainObject(answer) ? answer['error'] : undefined
  const { code = 'NO_CONTROL', message = `${access.url} answers ${response.status}` } = isPlainObject(error)
    ? error
    : {}
  throw new CommandError(String(code), String(message), 1)
}
