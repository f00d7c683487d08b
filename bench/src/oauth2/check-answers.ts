import { decodeProtectedHeader } from 'jose'
import type { RunningServer } from '../spawn-server.ts'
import type { BenchRequest } from '../workloads.ts'

/** A server does not do what is measured. */
export class AnswerUnfit extends Error {
  readonly code = 'BENCH_ANSWER_UNFIT'
}

/** Sends one request. */
export async function ask(
  { address }: RunningServer,
  request: BenchRequest
): Promise<{ status: number; body: unknown }> {
  const { method, path, form, headers = {} } = request
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(address + path, {
    method,
    headers: form === undefined ? headers : { ...headers, ...type },
    ...(form === undefined ? {} : { body: form })
  })
  return { status: response.status, body: await response.json() }
}

/** The member of an answer. */
export const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined

/** @throws {AnswerUnfit} the answer holds no JWT of this algorithm */
export function expectJwt(body: unknown, algorithm: string): void {
  const token = memberOf(body, 'access_token')
  const { alg, typ } = typeof token === 'string' ? decodeProtectedHeader(token) : {}
  if (alg !== algorithm || typ !== 'at+jwt')
    throw new AnswerUnfit(`a token is ${String(typ)} with ${String(alg)}: ${JSON.stringify(body)}`)
}

/** @throws {AnswerUnfit} the answer says of no token that it is good for the scope */
export function expectActive(body: unknown): void {
  if (memberOf(body, 'active') !== true || memberOf(body, 'scope') !== 'read')
    throw new AnswerUnfit(`a token is not active: ${JSON.stringify(body)}`)
}
