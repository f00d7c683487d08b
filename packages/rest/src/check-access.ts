import type { ModelRegistry } from '@modelwire/core'
import { lineageOf, type ModelType } from '@modelwire/core/plugin'
import { AccessModelOpen, AccessRulesUnenforced } from './errors.ts'

type Warn = (message: string) => void

const modelsOf = (registry: ModelRegistry): readonly ModelType[] =>
  registry.names().map((name) => registry.typeOf(name))

const placeOf = ({ name, file }: ModelType, key: string) => ({ model: name, key, ...(file !== undefined && { file }) })

/** LB3: rules without `enableAuth` have no effect, which is a warning. New applications do not start so. */
export function refuseUnenforcedRules(registry: ModelRegistry, warn: Warn): void {
  if (registry.isGuarded) return
  const open = modelsOf(registry).find(
    ({ definition }) => definition.public === true && (definition.acls ?? []).length > 0
  )
  if (open === undefined) return
  const error = new AccessRulesUnenforced(
    'the access rules are not enforced: register the plugin acl before rest',
    placeOf(open, 'acls')
  )
  if (!registry.rules.allowsOpenAccess) throw error
  warn(`rest: ${error.message}`)
}

/** True for a model whose records decide who may do what, and that no rule protects from writes. */
function isOpenAccess(model: ModelType): boolean {
  const { definition, collection, registry } = model
  const isAboutAccess = lineageOf(model).some(({ name }) => registry.accessModels.has(name))
  return isAboutAccess && definition.public === true && collection !== undefined && (definition.acls ?? []).length === 0
}

/**
 * Callers that may write roles, rules or clients may do everything. LB3: an application may leave them open, with a
 * warning.
 * @throws {AccessModelOpen} a new application does
 */
export function refuseOpenAccess(registry: ModelRegistry, warn: Warn): void {
  if (!registry.isGuarded) return
  const open = modelsOf(registry).filter(isOpenAccess)
  const [first] = open
  if (first === undefined) return
  const names = open.map(({ name }) => name).join(', ')
  if (!registry.rules.allowsOpenAccess)
    throw new AccessModelOpen(
      `anonymous clients may write ${names}: add acls, or set public to false`,
      placeOf(first, 'public')
    )
  warn(`rest: everybody may write ${names}, which decide who may do what: add acls, or set public to false`)
}
