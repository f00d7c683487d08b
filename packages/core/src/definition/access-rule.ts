import { Type, type Static } from '@sinclair/typebox'
import type { Principal } from '../caller/caller.ts'

/**
 * The argument of a function of an access rule: the caller and the operation.
 */
export interface RowsContext {
  /** Undefined for an anonymous caller. */
  readonly principal: Principal | undefined
  /** The id of the calling user; undefined if the caller is not a user. */
  readonly userId: unknown
  /** The token of the call, if there is one. */
  readonly accessToken: unknown
  /** The model whose records are requested. */
  readonly model: string
  /** Without `prototype.`; `find` for records that are included. */
  readonly method: string
}

/**
 * A `where` on properties of the records, including hidden ones; `{}` matches every record, `undefined` and `false` match
 * none.
 */
export type RowsAnswer = Readonly<Record<string, unknown>> | undefined | false

/**
 * Returns which records of a model an access rule lets its callers see and change. Called once per method of a model in a
 * request. If it throws, or returns an invalid condition, the response is 500 `ROWS_FAILED`, and nothing is shown. A
 * condition that contains `undefined` is invalid: otherwise that part would be ignored.
 * @example
 * ```ts
 * import type { AccessRule, RowsFunction } from '@modelwire/core'
 *
 * const inRegion: RowsFunction = async ({ userId }) => ({ region: userId === 7 ? 'north' : 'south' })
 * const rule: AccessRule = {
 *   principalType: 'ROLE',
 *   principalId: '$authenticated',
 *   permission: 'ALLOW',
 *   rows: inRegion
 * }
 * const call = { principal: { userId: 7 }, userId: 7, accessToken: undefined, model: 'Order', method: 'find' }
 * console.log(rule.permission, await inRegion(call)) // ALLOW { region: 'north' }
 * ```
 */
export type RowsFunction = (context: RowsContext) => RowsAnswer | Promise<RowsAnswer>

/** Properties by their names: those that are listed, or all others. */
const FieldNamesSchema = Type.Union([
  Type.Array(Type.String()),
  Type.Object({ except: Type.Array(Type.String()) }, { additionalProperties: false })
])
export type FieldNames = Static<typeof FieldNamesSchema>

/** One entry of `acls`. Its meaning is defined by the package acl. */
export const AccessRuleSchema = Type.Object(
  {
    principalType: Type.Optional(Type.String({ description: 'USER, APP, SCOPE or ROLE' })),
    principalId: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    accessType: Type.Optional(
      Type.Unsafe<'READ' | 'WRITE' | 'EXECUTE' | 'REPLICATE' | '*'>(
        Type.String({ description: 'READ, WRITE, EXECUTE or *' })
      )
    ),
    permission: Type.Optional(
      Type.Unsafe<'ALLOW' | 'DENY' | 'AUDIT' | 'ALARM'>(Type.String({ description: 'ALLOW or DENY' }))
    ),
    property: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description: 'method names' })),
    rows: Type.Optional(
      Type.Union([Type.String(), Type.Unsafe<RowsFunction>(Type.Function([], Type.Unknown()))], {
        description:
          "limit the rule to some records: `$owner` for the caller's own, relations that lead from a record to the caller, such as " +
          '`organisation.members`, or a function that returns them'
      })
    ),
    fields: Type.Optional(
      Type.Union(
        [
          FieldNamesSchema,
          Type.Object(
            { read: Type.Optional(FieldNamesSchema), write: Type.Optional(FieldNamesSchema) },
            { additionalProperties: false }
          )
        ],
        { description: 'limit the rule to some properties: one list for reading and setting, or one for each' }
      )
    )
  },
  { additionalProperties: true }
)

/**
 * One entry of `acls`.
 * @example
 * ```ts
 * import { acl } from '@modelwire/acl'
 * import type { AccessRule } from '@modelwire/core'
 * import { rest } from '@modelwire/rest'
 *
 * const acls: AccessRule[] = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
 * app.models.define({ name: 'Secret', public: true, acls })
 * await app.register(acl).register(rest)
 * console.log((await app.inject('/Secrets')).statusCode) // 401
 * ```
 */
export type AccessRule = Static<typeof AccessRuleSchema>
