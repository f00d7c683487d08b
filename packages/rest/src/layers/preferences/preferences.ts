import { Model } from '@modelwire/core'
import { changesMany, idInPath, type Operation, Records, repository, stateOf, storesData } from '@modelwire/core/plugin'
import { once, writtenPath } from '@modelwire/server'
import type { FastifyRequest } from 'fastify'
import type { CheckArguments } from '../../input/read-arguments.ts'
import type { Layer, Steps } from '../layer.ts'
import { confirmPreference, preferencesOf } from '../../input/read-preferences.ts'
import { compileRefusal } from './refuse-unknown.ts'

const isPlainRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where the record that was created is read: below the path of the request, by its id; undefined of several. */
function locationOf({ raw }: FastifyRequest, result: unknown): string | undefined {
  const [type, record] =
    result instanceof Records
      ? [result.model, result.single ? result.rows[0] : undefined]
      : [result instanceof Model ? stateOf(result).type : undefined, result]
  if (!isPlainRecord(record) || type?.idProperty === undefined) return undefined
  if (type.keyNames.some((name) => type.hidden.has(name))) return undefined
  return `${writtenPath(raw).replace(/\/$/, '')}/${idInPath(type, repository.idOf(type, record))}`
}

/** Compiles the `Location` of a 201 and `Prefer: return=minimal` for an operation that stores what the client sends; undefined for others. */
function compileMinimal({ effect }: Operation, isStrict: boolean): Steps['beforeWriting'] {
  if (!storesData(effect) || (effect.verb === 'patch' && effect.subject === 'set')) return undefined
  const creates = effect.verb === 'create'
  return ({ request, reply, context }) => {
    const preferred = request.headers.prefer === undefined ? undefined : preferencesOf(request, isStrict).return
    if (preferred !== undefined) confirmPreference(reply, `return=${preferred}`)
    if (preferred === 'minimal') void reply.code(creates ? 201 : 204)
    const location = creates && reply.statusCode === 201 ? locationOf(request, context.result) : undefined
    if (location !== undefined) void reply.header('location', location)
    if (preferred !== 'minimal') return false
    void reply.send()
    return true
  }
}

/** Clients' preferences for responses, and for the handling of their requests (RFC 7240). */
export const preferences: Layer = {
  headers: { request: ['prefer'], response: ['location', 'preference-applied'] },
  mount: ({ settings, readQuery }) => {
    // Where strict handling is the rule, it is done while arguments are read.
    const isStrict = settings.handling === 'strict'
    return {
      claim: ({ operation }) => {
        const refusal = once(() => compileRefusal(operation))
        const refuse: CheckArguments = (query, args) => refusal()(query, args)
        const isForMany = changesMany(operation.effect)
        return {
          check: isStrict ? refuse : undefined,
          begin(request, context) {
            if (request.headers.prefer === undefined) return
            const { handling, maxAffected } = preferencesOf(request, isStrict)
            if (handling === 'strict' && !isStrict) refuse(readQuery(request), context.args)
            if (isForMany) context.maxAffected = maxAffected
          },
          beforeWriting: compileMinimal(operation, isStrict)
        }
      }
    }
  }
}
