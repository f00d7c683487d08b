import { ScriptArgumentInvalid } from '../errors.ts'
import { isFunction } from '../callback-bridge.ts'
import { memberOf } from '../script-members.ts'
import { isOfModel, typeOfClass } from '@modelwire/core/plugin'

/** The principal of an access check, as scripts see it. */
export class Principal {
  static readonly USER = 'USER'
  static readonly APP = 'APP'
  static readonly APPLICATION = 'APP'
  static readonly ROLE = 'ROLE'
  static readonly SCOPE = 'SCOPE'
  readonly type: unknown
  readonly id: unknown
  readonly name: unknown

  constructor(type: unknown, id: unknown, name?: unknown) {
    this.type = type
    this.id = id
    this.name = name
  }

  /** True for one with the same type and id, which may be a number in one and a string in the other. */
  equals(other: unknown): boolean {
    return other instanceof Principal && this.type === other.type && String(this.id) === String(other.id)
  }
}

const notUsers: ReadonlySet<unknown> = new Set([Principal.APP, Principal.ROLE, Principal.SCOPE])

const isPresent = (id: unknown): boolean => id !== undefined && id !== null

/**
 * An access check in scripts, for `Role.isInRole` and `ACL.checkAccessForContext`.
 * @see LoopBack 3: lib/access-context.js
 */
export class AccessContext {
  static readonly ALL = '*'
  static readonly READ = 'READ'
  static readonly REPLICATE = 'REPLICATE'
  static readonly WRITE = 'WRITE'
  static readonly EXECUTE = 'EXECUTE'
  static readonly DEFAULT = 'DEFAULT'
  static readonly ALLOW = 'ALLOW'
  static readonly ALARM = 'ALARM'
  static readonly AUDIT = 'AUDIT'
  static readonly DENY = 'DENY'
  static readonly permissionOrder = { DEFAULT: 0, ALLOW: 1, ALARM: 2, AUDIT: 3, DENY: 4 }
  readonly registry: unknown
  readonly principals: unknown[]
  readonly model: unknown
  readonly modelName: unknown
  readonly modelId: unknown
  readonly property: unknown
  readonly method: unknown
  readonly sharedMethod: unknown
  readonly accessType: unknown
  readonly accessToken: unknown
  readonly remotingContext: unknown

  /** @throws {ScriptArgumentInvalid} there is no `registry` */
  constructor(input: Readonly<Record<string, unknown>> = {}) {
    const { registry, principals, model, id, modelId, property, method, sharedMethod, accessToken } = input
    if (!registry) throw new ScriptArgumentInvalid("AccessContext requires the application's registry")
    this.registry = registry
    this.principals = Array.isArray(principals) ? principals : []
    this.model = typeof model === 'string' ? this.#find('getModel', model) : model
    this.modelName = memberOf(this.model, 'modelName')
    this.modelId = id || modelId
    this.property = property || AccessContext.ALL
    this.method = method
    this.sharedMethod = sharedMethod
    this.accessType = input['accessType'] || AccessContext.ALL
    this.accessToken = accessToken || memberOf(this.#find('findModel', 'AccessToken'), 'ANONYMOUS')
    this.remotingContext = input['remotingContext']
    this.#addGiven(input)
  }

  #find(method: string, name: unknown): unknown {
    const find = memberOf(this.registry, method)
    return isFunction(find) ? find.call(this.registry, name) : undefined
  }

  #addGiven({ principalType, principalId, principalName }: Readonly<Record<string, unknown>>): void {
    if (isPresent(principalId)) this.addPrincipal(principalType || Principal.USER, principalId, principalName)
    const [userId, appId] = [memberOf(this.accessToken, 'userId'), memberOf(this.accessToken, 'appId')]
    if (isPresent(userId)) this.addPrincipal(memberOf(this.accessToken, 'principalType') || Principal.USER, userId)
    if (isPresent(appId)) this.addPrincipal(Principal.APP, appId)
  }

  /** Adds a principal; false if it already exists. */
  addPrincipal(type: unknown, id: unknown, name?: unknown): boolean {
    const principal = new Principal(type, id, name)
    const isKnown = this.principals.some((each) => principal.equals(each))
    if (!isKnown) this.principals.push(principal)
    return !isKnown
  }

  /** The first principal that is a user, of `User` or of a model that extends it. */
  getUser(): { id: unknown; principalType: unknown } | undefined {
    const found = this.principals.find((principal) => this.#isUser(memberOf(principal, 'type')))
    return found === undefined ? undefined : { id: memberOf(found, 'id'), principalType: memberOf(found, 'type') }
  }

  #isUser(type: unknown): boolean {
    if (type === Principal.USER || notUsers.has(type)) return type === Principal.USER
    const model = typeOfClass(this.#find('findModel', type))
    return model !== undefined && isOfModel(model, 'User')
  }

  getUserId(): unknown {
    return this.getUser()?.id
  }

  /** The id of the first application; null if there is none. */
  getAppId(): unknown {
    const found = this.principals.find((principal) => memberOf(principal, 'type') === Principal.APP)
    return found === undefined ? null : memberOf(found, 'id')
  }

  isAuthenticated(): boolean {
    return isPresent(this.getUserId()) || isPresent(this.getAppId())
  }
}
