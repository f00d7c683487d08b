import { PrincipalTypeInvalid, ScriptArgumentInvalid } from '../errors.ts'
import { acceptCallback } from '../callback-bridge.ts'
import { markBuiltIn } from './script-authorization.ts'
import { installMembers, type MemberRow } from '../script-members.ts'
import { modelOf, readQuestion, type ScriptQuestion } from './script-question.ts'
import type { Access, AccessAnswer, AccessQuestion } from '@modelwire/acl'
import type { Model, ModelRegistry } from '@modelwire/core'
import { modelByType, repository, serverCall } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'

const principalTypes = { USER: 'USER', APP: 'APP', APPLICATION: 'APP', ROLE: 'ROLE', SCOPE: 'SCOPE' }
const ruleNames = {
  ALL: '*',
  DEFAULT: 'DEFAULT',
  ALLOW: 'ALLOW',
  ALARM: 'ALARM',
  AUDIT: 'AUDIT',
  DENY: 'DENY',
  READ: 'READ',
  REPLICATE: 'REPLICATE',
  WRITE: 'WRITE',
  EXECUTE: 'EXECUTE',
  ...principalTypes
}

/** The result of LoopBack's access checks. */
interface AccessRequest extends Pick<AccessAnswer, 'permission'> {
  readonly model: string
  readonly property: string
  readonly accessType: string
  readonly isAllowed: () => boolean
}

type MethodQuestion = Pick<AccessQuestion, 'model' | 'method' | 'accessType'>

const requestOf = (
  { model, method, accessType }: MethodQuestion,
  { permission, allowed }: AccessAnswer
): AccessRequest => ({
  model,
  property: method,
  accessType,
  permission,
  isAllowed: () => allowed
})

/** @throws {ScriptArgumentInvalid} there is no such model */
function questionAbout(question: ScriptQuestion): AccessQuestion {
  const { model, principal, modelId, method, accessType, accessToken } = question
  if (model === undefined) throw new ScriptArgumentInvalid('an access check requires a model', { model: 'ACL' })
  return { principal, model: model.name, modelId, method, accessType, accessToken }
}

async function checkContext(registry: ModelRegistry, access: Access, context: unknown): Promise<AccessRequest> {
  const question = questionAbout(readQuestion(registry, context))
  return requestOf(question, await access.ask(question))
}

/** @throws {ScriptArgumentInvalid} there is no token */
async function checkToken(registry: ModelRegistry, access: Access, args: readonly unknown[]): Promise<boolean> {
  const [accessToken, model, modelId, property] = args
  if (typeof accessToken !== 'object' || accessToken === null)
    throw new ScriptArgumentInvalid('checkAccessForToken requires an access token', { model: 'ACL' })
  return (await checkContext(registry, access, { accessToken, model, modelId, property })).isAllowed()
}

async function checkPermission(
  registry: ModelRegistry,
  access: Access,
  args: readonly unknown[]
): Promise<AccessRequest> {
  const [type, id, modelName, property, accessType] = args
  const { method, accessType: kind } = readQuestion(registry, { property, accessType })
  const model = modelOf(registry, modelName)?.name ?? String(modelName)
  const question = { principal: undefined, model, method, accessType: kind }
  return requestOf(question, await access.askFor({ type: String(type), id: String(id) }, question))
}

/** The record whose id or one of whose names this is; null where there is none. */
async function findNamed(model: ModelType | undefined, names: readonly string[], id: unknown): Promise<Model | null> {
  if (model?.collection === undefined || id === undefined || id === null || id === '') return null
  const byName =
    typeof id === 'string'
      ? await repository.findOne(model, { where: { or: names.map((name) => ({ [name]: id })) } }, serverCall())
      : null
  return byName ?? repository.findById(model, id, undefined, serverCall())
}

const namesOfUsers = ['username', 'email']

/**
 * The role, user or application behind a principal.
 * @throws {PrincipalTypeInvalid} the type is neither one of LoopBack's nor a model
 */
async function resolvePrincipal(registry: ModelRegistry, type: unknown, id: unknown): Promise<Model | null> {
  const kind = typeof type === 'string' && type !== '' ? type : 'ROLE'
  if (kind === 'ROLE') return findNamed(modelByType(registry, 'Role'), ['name'], id)
  if (kind === 'USER') return findNamed(modelByType(registry, 'User'), namesOfUsers, id)
  if (kind === 'APP') return findNamed(modelByType(registry, 'Application'), ['name', 'email'], id)
  const model = registry.find(kind)
  if (model === undefined) throw new PrincipalTypeInvalid(`unknown principal type "${kind}"`)
  return findNamed(model, namesOfUsers, id)
}

/** Whether a principal is mapped to a role; null where there is no such role. */
async function isMappedToRole(registry: ModelRegistry, [type, id, role]: readonly unknown[]): Promise<boolean | null> {
  const principal = await resolvePrincipal(registry, type, id)
  const found = await resolvePrincipal(registry, 'ROLE', role)
  const [roles, mappings] = [modelByType(registry, 'Role'), modelByType(registry, 'RoleMapping')]
  if (found === null || roles === undefined || mappings?.collection === undefined) return null
  const principalId = String(principal?.['id'] ?? id)
  const where = { roleId: repository.idOf(roles, found), principalType: type ?? 'ROLE', principalId }
  return (await repository.count(mappings, where, serverCall())) > 0
}

/** What a mapping leads to, by its type; null where it is another one. */
const principalFinders: Readonly<Record<string, (registry: ModelRegistry, type: unknown) => ModelType | undefined>> = {
  application: (registry, type) => (type === principalTypes.APP ? modelByType(registry, 'Application') : undefined),
  user: (registry, type) =>
    type === principalTypes.USER ? modelByType(registry, 'User') : registry.find(typeof type === 'string' ? type : ''),
  childRole: (registry, type) => (type === principalTypes.ROLE ? modelByType(registry, 'Role') : undefined)
}

/** `mapping.application()`, `mapping.user()` and `mapping.childRole()`. */
const finderRows = (registry: ModelRegistry): readonly MemberRow<Model>[] =>
  Object.entries(principalFinders).map(([name, modelOfType]) => {
    const find = async ({ principalType, principalId }: Model): Promise<Model | null> => {
      const model = modelOfType(registry, principalType)
      return model?.collection === undefined ? null : repository.findById(model, principalId, undefined, serverCall())
    }
    return [name, 'promise', find]
  })

const isAllowed = (_self: unknown, permission: unknown, otherwise: unknown): boolean =>
  (permission === 'DEFAULT' ? (otherwise ?? 'ALLOW') : permission) !== 'DENY'

function questionRows(registry: ModelRegistry, access: Access): readonly MemberRow<unknown>[] {
  const checkAccessForContext = acceptCallback((context) => checkContext(registry, access, context))
  return [
    ['checkAccessForContext', 'value', markBuiltIn(checkAccessForContext)],
    ['checkAccessForToken', 'promise', (_self, ...args) => checkToken(registry, access, args)],
    ['checkPermission', 'promise', (_self, ...args) => checkPermission(registry, access, args)],
    ['resolvePrincipal', 'promise', (_self, type, id) => resolvePrincipal(registry, type, id)],
    ['isMappedToRole', 'promise', (_self, ...args) => isMappedToRole(registry, args)],
    ['isAllowed', 'method', isAllowed]
  ]
}

const namesAsRows = (names: Readonly<Record<string, string>>): readonly MemberRow<unknown>[] =>
  Object.entries(names).map(([name, value]) => [name, 'value', value])

/**
 * Adds the members to `ACL` and `RoleMapping` that scripts use besides data access.
 * @see LoopBack 3: loopback, common/models/acl.js
 */
export function addRuleMethods(registry: ModelRegistry, access: Access): void {
  const [mappings, rules] = [registry.find('RoleMapping')?.modelClass, registry.find('ACL')?.modelClass]
  if (mappings !== undefined) {
    installMembers(mappings, namesAsRows(principalTypes), { keepsOwn: true })
    installMembers(mappings.prototype, finderRows(registry), { keepsOwn: true })
  }
  if (rules !== undefined)
    installMembers(rules, [...namesAsRows(ruleNames), ...questionRows(registry, access)], { keepsOwn: true })
}
