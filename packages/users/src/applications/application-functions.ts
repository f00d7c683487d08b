import { InvalidArgument, type Model, ModelNotFound } from '@modelwire/core'
import { repository, serverCall, typeOf } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { Method, WrapMethod } from '../accounts/account-parts.ts'
import { isSameText } from '../passwords/passwords.ts'
import { type KeyName, keyNames, makeKeys } from './application-model.ts'

/** The application, and the key that was presented. */
export interface AuthenticatedApplication {
  readonly application: Model
  readonly keyType: KeyName
}

/** @throws {InvalidArgument} the owner or the name is missing */
async function register(model: ModelType, [owner, name, options]: readonly unknown[]): Promise<Model> {
  if (!owner || !name) throw new InvalidArgument('an application must have an owner and a name')
  return repository.create(model, { ...(isPlainObject(options) ? options : {}), owner, name }, serverCall())
}

async function resetOwnKeys(application: Model): Promise<Model> {
  return repository.patchInstance(
    typeOf(application),
    application,
    { ...makeKeys(), modified: new Date() },
    serverCall()
  )
}

/** @throws {ModelNotFound} there is no such application */
async function resetKeys(model: ModelType, [id]: readonly unknown[]): Promise<Model> {
  const application = await repository.findById(model, id, undefined, serverCall())
  if (application === null) throw new ModelNotFound(`No ${model.name} has the id ${JSON.stringify(id)}`)
  return resetOwnKeys(application)
}

/** The application with this id and the key that was shown; null where no key is this one. */
async function authenticate(model: ModelType, [id, key]: readonly unknown[]): Promise<AuthenticatedApplication | null> {
  if (typeof id !== 'string' || id === '') return null
  const application = await repository.findById(model, id, undefined, serverCall())
  if (application === null) return null
  const matching = keyNames.filter((name) => isSameText(application[name], key))
  const [keyType] = matching
  return keyType === undefined ? null : { application, keyType }
}

const onModel = { register, resetKeys, authenticate } as const

/**
 * Adds the functions that scripts call to the model of applications.
 * @see LoopBack 3: loopback, common/models/application.js
 */
export function addApplicationFunctions(applicationClass: typeof Model, wrap: WrapMethod): void {
  for (const [name, run] of Object.entries(onModel))
    define(
      applicationClass,
      name,
      wrap(async function (this: unknown, ...args) {
        return run((this as typeof Model).modelType, args) // called on a model
      })
    )
  const resetThis = wrap(async function (this: unknown) {
    return resetOwnKeys(this as Model) // called on a record
  })
  define(applicationClass.prototype, 'resetKeys', resetThis)
}

function define(owner: object, name: string, value: Method): void {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true })
}
