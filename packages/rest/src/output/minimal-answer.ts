import { Model, type OperationContext } from '@modelwire/core'
import { type Operation, Records, stateOf, storesData, writtenPath } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { confirmPreference, preferencesOf } from '../preferences/read-preferences.ts'

/** Sends no record to a client that prefers none; true where it did. */
export type SendMinimal = (request: FastifyRequest, reply: FastifyReply, context: OperationContext) => boolean

/** Tells where the record that was created is read: below the path of the request, by its id. Of several it tells nothing. */
function tellLocation(request: FastifyRequest, reply: FastifyReply, { result }: OperationContext): void {
  const location = locationOf(request, result)
  if (location !== undefined) void reply.header('location', location)
}

function locationOf({ raw }: FastifyRequest, result: unknown): string | undefined {
  const [type, record] =
    result instanceof Records
      ? [result.model, result.single ? result.rows[0] : undefined]
      : [result instanceof Model ? stateOf(result).type : undefined, result]
  const id = type?.idProperty?.name
  if (!isPlainRecord(record) || id === undefined || type?.hidden.has(id) === true) return undefined
  return `${writtenPath(raw).replace(/\/$/, '')}/${encodeURIComponent(String(record[id]))}`
}

const isPlainRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Compiles the `Location` of a 201 and `Prefer: return=minimal` for an operation that stores what the client sends; undefined for others. */
export function compileMinimal({ effect }: Operation, isStrict: boolean): SendMinimal | undefined {
  if (!storesData(effect) || (effect.verb === 'patch' && effect.subject === 'set')) return undefined
  const creates = effect.verb === 'create'
  return (request, reply, context) => {
    const preferred = request.headers.prefer === undefined ? undefined : preferencesOf(request, isStrict).return
    if (preferred !== undefined) confirmPreference(reply, `return=${preferred}`)
    if (preferred === 'minimal') void reply.code(creates ? 201 : 204)
    if (creates && reply.statusCode === 201) tellLocation(request, reply, context)
    if (preferred !== 'minimal') return false
    void reply.send()
    return true
  }
}
