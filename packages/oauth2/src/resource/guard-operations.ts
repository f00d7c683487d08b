import type { ModelRegistry, Principal } from '@modelwire/core'
import { type Guard, lineageOf, methodString, type Operation } from '@modelwire/core/plugin'
import { InsufficientScope, MappedOperationUnknown, TokenMissing } from '../errors.ts'
import type { ScopedCallers } from './scope-rule.ts'

/** The operations that each scope allows: `Product.find`, `Product.prototype.patchAttributes`, `Product.*`, `Product:READ`. */
type OperationScopes = Readonly<Record<string, readonly string[]>>

/** How operations are mapped to scopes. */
interface OperationRules {
  /** If set, clients may only call what they cover. */
  readonly mappings: OperationScopes | undefined
  /** Operations that require no token, written as in mappings. */
  readonly open: readonly string[]
  /** Clients may call operations that require no scope. */
  readonly opensUnmapped: boolean
  /** Callers whose scopes were checked by their path or route. */
  readonly scoped: ScopedCallers
  /** No client may change accounts of users, unless a mapping allows it. */
  readonly protectAccounts: boolean
  /** Returns the `www-authenticate` of a refusal. */
  readonly challenge: (error: InsufficientScope | TokenMissing, scopes: readonly string[]) => string
}

const aliasesOf = ({ model, aliases }: Operation): readonly string[] => aliases.map((name) => `${model.name}.${name}`)

/** What a mapping may call an operation. */
function namesOf(operation: Operation): ReadonlySet<string> {
  const { model, accessType } = operation
  return new Set([
    methodString(operation),
    ...aliasesOf(operation),
    `${model.name}.*`,
    `${model.name}:${accessType}`,
    '*'
  ])
}

const isNamed = (operation: Operation, entries: readonly string[]): boolean => {
  const names = namesOf(operation)
  return entries.some((entry) => names.has(entry))
}

/** The scopes of which a caller of the operation needs one. */
export function operationScopes(operation: Operation, mappings: OperationScopes): readonly string[] {
  return Object.entries(mappings).flatMap(([scope, entries]) => (isNamed(operation, entries) ? [scope] : []))
}

/** Clients have scopes; who logged in by a name and a password has none of these, and rules alone decide. */
const isClient = (principal: Principal): boolean => principal.appId !== undefined

/** A call that changes who may do what. */
function isAboutAccounts({ model, accessType }: Operation): boolean {
  const { accessModels } = model.registry
  return accessType !== 'READ' && lineageOf(model).some(({ name }) => accessModels.has(name))
}

function refusal(
  error: InsufficientScope | TokenMissing,
  scopes: readonly string[],
  { challenge }: OperationRules
): InsufficientScope | TokenMissing {
  const kind = error instanceof TokenMissing ? TokenMissing : InsufficientScope
  return new kind(error.message, { headers: { 'www-authenticate': challenge(error, scopes) } })
}

/** Guards an operation of an application with mappings. */
function mappedGuard(scopes: readonly string[], rules: OperationRules): Guard {
  const missing = refusal(new TokenMissing('an access token is required'), scopes, rules)
  const narrow = refusal(new InsufficientScope('the access token lacks a required scope'), scopes, rules)
  const guard: Guard = ({ principal }) => {
    if (principal === undefined) throw missing
    if (isClient(principal) && !scopes.some((scope) => principal.scopes?.includes(scope))) throw narrow
  }
  return Object.assign(guard, { ignoresInstance: true, ignoresArguments: () => true })
}

/** Keeps clients out of an operation. */
function closedGuard(rules: OperationRules): Guard {
  const narrow = refusal(new InsufficientScope('no scope allows clients to call this method'), [], rules)
  const guard: Guard = ({ principal }) => {
    if (principal !== undefined && isClient(principal)) throw narrow
  }
  return Object.assign(guard, { ignoresInstance: true, ignoresArguments: () => true, onlyForCallers: true })
}

/** Refuses clients whose scopes were not checked: the user did not permit this call. */
function unmappedGuard({ scoped, ...rules }: OperationRules): Guard {
  const narrow = refusal(new InsufficientScope('no scope allows clients to call this method'), [], { scoped, ...rules })
  const guard: Guard = ({ principal }) => {
    if (principal !== undefined && isClient(principal) && !scoped.has(principal)) throw narrow
  }
  return Object.assign(guard, { ignoresInstance: true, ignoresArguments: () => true, onlyForCallers: true })
}

/** True for models whose access rules name scopes or clients. */
const speaksOfClients = ({ model }: Operation): boolean =>
  (model.definition.acls ?? []).some((rule) =>
    // Applications of LoopBack write rules in more shapes than their type allows.
    ['SCOPE', 'APP'].includes(String(Reflect.get(Object(rule), 'principalType')))
  )

function guardOf(operation: Operation, rules: OperationRules): Guard | undefined {
  const { mappings, open, protectAccounts, opensUnmapped } = rules
  const scopes = operationScopes(operation, mappings ?? {})
  if (mappings !== undefined && !isNamed(operation, open)) return mappedGuard(scopes, rules)
  const isClosed = protectAccounts && isAboutAccounts(operation) && operation.accessScopes === undefined
  if (isClosed) return closedGuard(rules)
  const isMapped = isNamed(operation, open) || operation.accessScopes !== undefined || speaksOfClients(operation)
  return isMapped || opensUnmapped ? undefined : unmappedGuard(rules)
}

/** Every entry of a mapping must lead to something: a misspelt one would close what it was to open. */
function refuseUnknown(entries: ReadonlySet<string>): void {
  const [first] = entries
  if (first !== undefined)
    throw new MappedOperationUnknown(`no operation is served as "${first}"`, { key: 'scopeMappings' })
}

/**
 * Maps operations to scopes. Each guard is compiled when its operation is mounted.
 * @throws {MappedOperationUnknown} (the function that is returned) a mapping names an operation that is not served
 */
export function guardOperations(registry: ModelRegistry, rules: OperationRules): () => void {
  const unknown = new Set([...Object.values(rules.mappings ?? {}).flat(), ...rules.open])
  registry.addGuardSource((operation) => {
    for (const name of namesOf(operation)) unknown.delete(name)
    return guardOf(operation, rules)
  })
  return () => refuseUnknown(unknown)
}
