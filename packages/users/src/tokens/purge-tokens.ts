import type { ModelRegistry } from '@modelwire/core'
import { compileFilter, isOfModel, serverCall } from '@modelwire/core/plugin'
import { compileOptionalWhere, type ModelType } from '@modelwire/core/connector'

/** Lifetimes that one run sees to in a model: clients may choose any, and the next run goes on. */
const mostLifetimes = 100

/** The next longer lifetime that tokens of a model have, in seconds. */
async function lifetimeAbove(model: ModelType, ttl: number): Promise<number | undefined> {
  const filter = compileFilter(model, { where: { ttl: { gt: ttl } }, order: 'ttl ASC', limit: 1 }, serverCall())
  const [row] = (await model.collection?.find(filter)) ?? []
  const found: unknown = row?.['ttl']
  return typeof found === 'number' && found > ttl ? found : undefined
}

/**
 * Removes the tokens of one lifetime that are over, of which nothing is read. Nothing is told of it either: a token that is over is
 * refused by whoever keeps it in memory.
 */
async function purgeLifetime(model: ModelType, ttl: number, now: number): Promise<void> {
  const where = { ttl, created: { lt: new Date(now - ttl * 1000) } }
  await model.collection?.delete(compileOptionalWhere(model, where))
}

/** The models that hold tokens of users. */
function tokenModels(registry: ModelRegistry, own: string): readonly ModelType[] {
  return registry
    .names()
    .map((name) => registry.typeOf(name))
    .filter((model) => isOfModel(model, 'AccessToken') || model.name === own)
    .filter(({ dataSource, byName }) => {
      const operations = dataSource?.connector.capabilities.operations
      return operations?.has('find') === true && operations.has('delete') && byName.has('ttl') && byName.has('created')
    })
}

/**
 * Makes the function that removes expired tokens; those that never expire are kept. LoopBack only removes one when it is
 * presented.
 * @param own name of the model of tokens
 */
export function makePurgeTokens(registry: ModelRegistry, own: string): () => Promise<void> {
  const reached = new Map<ModelType, number>()
  const purgeModel = async (model: ModelType, now: number): Promise<void> => {
    let ttl = reached.get(model) ?? 0
    for (let seen = 0; seen < mostLifetimes; seen++) {
      const next = await lifetimeAbove(model, ttl)
      reached.set(model, next ?? 0)
      if (next === undefined) return
      await purgeLifetime(model, next, now)
      ttl = next
    }
  }
  return async () => {
    for (const model of tokenModels(registry, own)) await purgeModel(model, Date.now())
  }
}
