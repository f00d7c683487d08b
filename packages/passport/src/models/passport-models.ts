import { isPlainObject } from '@modelwire/server'
import type { PassportApp, ScriptModel } from '../application.ts'
import { PassportModelsMissing } from '../errors.ts'

/** The models of an application that logins use. */
export interface PassportModels {
  userModel: ScriptModel | undefined
  userIdentityModel: ScriptModel | undefined
  userCredentialModel: ScriptModel | undefined
}

/** One of the models. @throws {PassportModelsMissing} `setupModels` was not called */
export function modelOf(models: PassportModels, name: keyof PassportModels): ScriptModel {
  const model = models[name]
  if (model !== undefined) return model
  throw new PassportModelsMissing(`a login requires ${name}: call setupModels first`)
}

function relate(users: ScriptModel, target: ScriptModel, name: string): ScriptModel {
  const configured = users.relations[name]?.modelTo
  if (configured === undefined) users.hasMany(target, { as: name })
  return configured ?? target
}

/**
 * The models of logins: the configured ones, else those that extend the default ones; relations between them are added if
 * they are missing.
 * @see LoopBack 3: loopback-component-passport, lib/passport-configurator.js, setupModels
 */
export function setUpModels({ registry }: PassportApp, value: unknown): Required<PassportModels> {
  const options = isPlainObject(value) ? value : {}
  const find = (option: string, name: string): ScriptModel =>
    (options[option] ?? registry.getModelByType(name)) as ScriptModel // classes of models
  const userModel = find('userModel', 'User')
  const userIdentityModel = relate(userModel, find('userIdentityModel', 'UserIdentity'), 'identities')
  const userCredentialModel = relate(userModel, find('userCredentialModel', 'UserCredential'), 'credentials')
  for (const model of [userIdentityModel, userCredentialModel])
    if (model.relations['user'] === undefined) model.belongsTo(userModel, { as: 'user' })
  return { userModel, userIdentityModel, userCredentialModel }
}
