import { type ModelRegistry, OperationContext, type Principal } from '@modelwire/core'
import {
  checkNamedRecord,
  type Guard,
  methodString,
  type Operation,
  Client,
  repository,
  serverCall
} from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { unlessRefused } from '@modelwire/server'
import type { Access } from './access/access.ts'
import { answerFor, answerQuestion } from './access/access-question.ts'
import { type FoundProblem, problemsOfRules } from './check/check-rules.ts'
import { UnknownOperation } from './errors.ts'
import { compileGuard } from './guard/compile-guard.ts'
import { accessModels } from './models/definitions.ts'
import type { AclSettings } from './options.ts'
import { reportOn } from './report/report.ts'
import { RuleAccessControl } from './rights/access-control.ts'
import { type AccessParts, makeAskRules } from './rights/verdicts.ts'
import { makeDenials } from './rights/denials.ts'
import { makeRestrictionOf } from './rights/restriction-of.ts'
import { makeIsOwner, makeOwnsRecord, makeOwnerships } from './roles/is-owner.ts'
import { makeOwnedBy } from './roles/owned-by.ts'
import { RoleTable } from './roles/role-table.ts'
import { makeWhereOfRows } from './rows/rows-of.ts'
import { storedRules } from './rules/stored-rules.ts'

/**
 * Defines the access control models that the application does not define itself.
 * @param ownModels names of models that it defines afterwards
 */
export function defineAccessModels(
  registry: ModelRegistry,
  ownModels: Pick<ReadonlySet<string>, 'has'> = new Set()
): void {
  for (const definition of accessModels)
    if (registry.find(definition.name) === undefined && !ownModels.has(definition.name)) registry.define(definition)
}

type LateParts = Pick<AccessParts, 'denials' | 'nested' | 'checkIncludes' | 'recheckOwner' | 'showWritten'>

/** What calls are answered by. */
function answeringParts({ errorStatus, nested, checkIncludes, recheckOwner, showWritten }: AclSettings): LateParts {
  return { denials: makeDenials(errorStatus), nested, checkIncludes, recheckOwner, showWritten }
}

function partsOf(registry: ModelRegistry, options: () => AclSettings): AccessParts {
  const { userModel, storedRulesAge } = options()
  let answering: LateParts | undefined
  const late = (): LateParts => (answering ??= answeringParts(options()))
  const users = { registry, root: userModel }
  const ownershipOf = makeOwnerships(users)
  const ownsRecord = makeOwnsRecord(users, ownershipOf)
  const isOwner = makeIsOwner(users, ownsRecord)
  const ownedBy = makeOwnedBy(users, ownershipOf)
  return {
    roles: new RoleTable(registry, isOwner),
    isOwner,
    ownsRecord,
    ownershipOf,
    ownedBy,
    whereOfRows: makeWhereOfRows(ownedBy),
    stored: storedRules(registry, storedRulesAge),
    get denials() {
      return late().denials
    },
    get nested() {
      return late().nested
    },
    get checkIncludes() {
      return late().checkIncludes
    },
    get recheckOwner() {
      return late().recheckOwner
    },
    get showWritten() {
      return late().showWritten
    }
  }
}

/** Access control of a registry whose methods are not guarded yet. */
export interface PreparedAcl {
  readonly access: Access
  /**
   * Guards all operations. Call it before routes are mounted.
   * @param around wraps the guard of the rules
   */
  readonly protect: (around?: (operation: Operation, guard: Guard) => Guard) => void
  /** The error with which a call is denied. */
  readonly denial: (context: OperationContext) => Error
  /** The problems of the application's rules. Call it once everything is declared, including roles. */
  readonly problems: () => readonly FoundProblem[]
}

interface Mounted {
  readonly operation: Operation
  readonly guard: Guard
}

/** True for a call that obeys the rules. @throws what it is refused with */
async function obeysRules({ operation, guard }: Mounted, context: OperationContext): Promise<true> {
  await guard(context)
  const restriction = context.grant?.restriction
  if (restriction?.condition !== undefined) await checkNamedRecord(operation, context, restriction)
  await operation.findGrant?.(context)
  return true
}

function accessOf(registry: ModelRegistry, parts: AccessParts, mounted: ReadonlyMap<string, Mounted>): Access {
  const { roles, isOwner } = parts
  return {
    registerRole: (role, resolver) => roles.register(role, resolver),
    isInRole: (role, context) => roles.isIn(role, context),
    isOwner: (principal, model, id) => isOwner({ model: registry.typeOf(model), id }, principal),
    can: async (principal, name, id) => {
      const found = mounted.get(name)
      if (found === undefined) throw new UnknownOperation(`unknown operation ${name}`, { key: name })
      const question = await questionOf(found.operation, principal, id)
      return unlessRefused(() => obeysRules(found, question), false)
    },
    resolvedRoles: () => roles.resolved,
    ask: (question) => answerQuestion(registry, parts, question),
    askFor: (who, question) => answerFor(registry, parts, who, question),
    report: () => Array.from(mounted.values(), ({ operation }) => reportOn(operation))
  }
}

/**
 * Prepares access control: roles can be registered and queried, but nothing is guarded before `protect`.
 * @param options read immediately for `userModel` and `storedRulesAge`, and for the others when calls are guarded
 */
export function prepareAcl(registry: ModelRegistry, options: () => AclSettings): PreparedAcl {
  const parts = partsOf(registry, options)
  const mounted = new Map<string, Mounted>()
  const protect: PreparedAcl['protect'] = (around = (_operation, guard) => guard) => {
    const controlling = { parts, ask: makeAskRules(parts.roles), restrictionOf: makeRestrictionOf(parts) }
    registry.accessControl = new RuleAccessControl(controlling)
    registry.addGuardSource((operation) => {
      const guard = compileGuard(operation, controlling)
      mounted.set(methodString(operation), { operation, guard })
      return around(operation, guard)
    })
  }
  const problems = (): readonly FoundProblem[] => {
    const { userModel, roles = [] } = options()
    return problemsOfRules(registry, { userModel, roles: [...parts.roles.resolved, ...registry.laterRoles, ...roles] })
  }
  const denial: PreparedAcl['denial'] = ({ operation, principal }) =>
    parts.denials.ofRecords(operation.model, principal)
  return { access: accessOf(registry, parts, mounted), protect, denial, problems }
}

/** Data that names a record. */
const dataOf = (model: ModelType, id: unknown): Record<string, unknown> =>
  model.idProperty === undefined ? { id } : repository.idValues(model, id)

/** A hypothetical call of an operation, with the fields that a question about it needs. */
async function questionOf(
  operation: Operation,
  principal: Principal | undefined,
  id: unknown
): Promise<OperationContext> {
  const { model, onInstance } = operation
  const args = id === undefined ? {} : { id, data: dataOf(model, id) }
  const client = new Client(principal, undefined)
  const context = new OperationContext(operation, {
    args,
    client,
    ...(id === undefined ? {} : { id: String(repository.idText(model, id)) })
  })
  if (onInstance && id !== undefined)
    context.instance = (await repository.findById(model, id, undefined, serverCall())) ?? undefined
  return context
}
