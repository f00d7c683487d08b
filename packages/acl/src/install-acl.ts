import { ApiError, type Guard, methodString, type ModelRegistry, type Operation } from '@modelwire/core'
import type { Access } from './access/access.ts'
import type { AccessParts } from './access/access-parts.ts'
import { answerFor, answerQuestion } from './access/access-question.ts'
import { questionOf } from './access/ask-without-call.ts'
import { compileGuard } from './access/compile-guard.ts'
import { UnknownOperation } from './errors.ts'
import { guardIncludes } from './includes/guard-includes.ts'
import { guardFilters } from './includes/guard-filters.ts'
import { readRights } from './includes/read-check.ts'
import { accessModels } from './models/definitions.ts'
import { makeFindBuiltIn } from './models/model-by-type.ts'
import type { AclOptions } from './options.ts'
import { reportOn } from './report/report.ts'
import { makeIsOwner } from './roles/is-owner.ts'
import { makeOwnedBy } from './roles/owned-by.ts'
import { makeOwnerships } from './roles/owner-keys.ts'
import { RoleTable } from './roles/role-table.ts'
import { rowsTable } from './rows/rows-table.ts'
import { storedRules } from './rules/stored-rules.ts'

/**
 * Defines the models of access control that the application does not define itself.
 * @param ownModels names of models that it defines afterwards
 */
export function defineAccessModels(registry: ModelRegistry, ownModels: ReadonlySet<string> = new Set()): void {
  for (const definition of accessModels)
    if (registry.find(definition.name) === undefined && !ownModels.has(definition.name)) registry.define(definition)
}

function partsOf(registry: ModelRegistry, options: AclOptions): AccessParts {
  const {
    userModel = 'User',
    storedRulesAge = 1000,
    errorStatus = 401,
    recheckOwner = true,
    nested = 'parent'
  } = options
  const users = { registry, root: userModel }
  const find = makeFindBuiltIn(registry)
  const ownershipFor = makeOwnerships(users)
  const isOwner = makeIsOwner(users, ownershipFor)
  return {
    roles: new RoleTable(find, isOwner),
    isOwner,
    rowsOf: rowsTable(isOwner, makeOwnedBy(users, ownershipFor)),
    stored: storedRules(registry, find, storedRulesAge),
    errorStatus,
    recheckOwner,
    nested
  }
}

/** Denials are answers here; whatever else goes wrong is told. */
async function isAllowed(check: () => void | Promise<void>): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) return false
    throw error
  }
}

/** Access control of a registry whose methods are not guarded yet. */
export interface PreparedAcl {
  readonly access: Access
  /** Guards all operations. Call it before routes are mounted. */
  readonly protect: () => void
}

interface Mounted {
  readonly operation: Operation
  readonly guard: Guard
}

function accessOf(registry: ModelRegistry, parts: AccessParts, mounted: ReadonlyMap<string, Mounted>): Access {
  const { roles, isOwner } = parts
  return {
    registerRole: (role, resolver) => roles.register(role, resolver),
    isInRole: (role, context) => roles.isIn(role, context),
    isOwner: (principal, model, id) => isOwner({ model: registry.typeOf(model), id }, principal),
    can: async (principal, name, id) => {
      const found = mounted.get(name)
      if (found === undefined) throw new UnknownOperation(`no operation is mounted as ${name}`, { key: name })
      const question = await questionOf(found.operation, principal, id)
      return isAllowed(() => found.guard(question))
    },
    resolvedRoles: () => roles.resolved,
    ask: (question) => answerQuestion(registry, parts, question),
    askFor: (who, question) => answerFor(registry, parts, who, question),
    report: () => Array.from(mounted.values(), ({ operation }) => reportOn(operation))
  }
}

/**
 * Prepares access control: roles can be registered and asked for, and nothing is guarded before `protect`.
 * @param options those of the plugin
 */
export function prepareAcl(registry: ModelRegistry, options: AclOptions = {}): PreparedAcl {
  const parts = partsOf(registry, options)
  const mounted = new Map<string, Mounted>()
  const protect = (): void => {
    registry.addGuardSource((operation) => {
      const guard = compileGuard(operation, parts)
      mounted.set(methodString(operation), { operation, guard })
      return guard
    })
    if (options.checkIncludes === false) return
    const rights = readRights(parts)
    registry.beforeSeal(() => {
      guardIncludes(registry, rights)
      guardFilters(registry, rights)
    })
  }
  return { access: accessOf(registry, parts, mounted), protect }
}

/** Installs access control into a registry: a guard for every operation, compiled when it is mounted. */
export function installAcl(registry: ModelRegistry, options: AclOptions = {}): Access {
  const { access, protect } = prepareAcl(registry, options)
  protect()
  return access
}
