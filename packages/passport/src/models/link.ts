import type { ScriptModel, ScriptRecord } from '../application.ts'
import { readProfile } from './profile.ts'

/** Changes the record that an account is linked by, or makes it. */
async function store(model: ScriptModel, where: object, changed: object, first: object): Promise<ScriptRecord> {
  const modified = new Date()
  const existing = await model.findOne({ where })
  if (existing !== null) {
    await existing.patchAttributes({ ...changed, modified })
    return existing
  }
  const data = { ...where, ...first, ...changed, created: modified, modified }
  return (await model.create(data)) as ScriptRecord // one object makes one record
}

/**
 * `UserCredential.link(userId, provider, authScheme, profile, credentials)`: links an account of a provider to a user.
 * @throws {ProfileIdMissing} the profile has no id
 * @see LoopBack 3: loopback-component-passport, lib/models/user-credential.js
 */
export async function linkUser(model: ScriptModel, args: readonly unknown[]): Promise<ScriptRecord> {
  const [userId, provider, authScheme, rawProfile, credentials] = args
  const profile = readProfile(rawProfile)
  return store(model, { userId, provider, externalId: profile.id }, { profile, credentials }, { authScheme })
}

/**
 * `ApplicationCredential.link(appId, provider, authScheme, credentials)`: keeps what an application is known by at a provider.
 * @see LoopBack 3: loopback-component-passport, lib/models/application-credential.js
 */
export async function linkApplication(model: ScriptModel, args: readonly unknown[]): Promise<ScriptRecord> {
  const [appId, provider, authScheme, credentials] = args
  return store(model, { appId, provider }, { credentials }, { authScheme })
}
