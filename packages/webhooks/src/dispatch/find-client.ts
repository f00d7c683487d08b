import type { ModelRegistry } from '@modelwire/core'
import { Client, modelByType } from '@modelwire/core/plugin'
import type { Endpoint } from '../models/read-endpoint.ts'

/** The user whom an endpoint belongs to, as a client; `gone` where the user does not exist any more. */
export async function findClient(
  registry: ModelRegistry,
  { userId, userModel }: Endpoint
): Promise<Client | 'gone' | undefined> {
  if (userId === undefined) return undefined
  const users = userModel === undefined ? modelByType(registry, 'User') : registry.find(userModel)
  if (users === undefined && userModel !== undefined) return 'gone'
  if (users?.collection !== undefined && !(await registry.get(users.name).exists(userId))) return 'gone'
  return new Client({ userId, ...(userModel === undefined ? {} : { userModel }) }, undefined)
}
