import { ModelNotFound, type ModelRegistry } from '@modelwire/core'
import { endpointModelName } from '../models/definitions.ts'
import { makeSecret } from './make-secret.ts'

/** A secret that replaces another one. */
export interface NewSecret {
  readonly secret: string
  /** Until then messages are signed with the replaced secret as well. */
  readonly previousUntil: Date
}

/**
 * Gives an endpoint a new secret.
 * @param rotation seconds for which the one before signs as well
 * @throws {ModelNotFound} there is no such endpoint
 */
export async function rotateSecret(registry: ModelRegistry, id: unknown, rotation: number): Promise<NewSecret> {
  const endpoints = registry.get(endpointModelName)
  const found = await endpoints.findById(id)
  if (found === null) throw new ModelNotFound(`there is no ${endpointModelName} with the id ${String(id)}`)
  const secret = makeSecret()
  const previousUntil = new Date(Date.now() + rotation * 1000)
  const { secret: previousSecret } = found.toObject()
  await endpoints.updateAll({ id: found.getId() }, { secret, previousSecret, previousSecretUntil: previousUntil })
  return { secret, previousUntil }
}
