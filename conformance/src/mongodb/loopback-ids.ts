import { objectIdOf, numberOf } from './object-ids.ts'

type Create = (model: string, data: Record<string, unknown>, options: unknown, done: unknown) => void

/** The parts of LoopBack's connector that are used here. */
export interface Connector {
  create: Create
  updateOrCreate: Create
  replaceOrCreate: Create
  getDefaultIdType: () => unknown
  idName(model: string): string
  collectionName(model: string): string
  getPropertyDefinition(model: string, name: string): { readonly generated?: unknown } | undefined
}

/**
 * Has LoopBack's connector give ids in the order in which memory gives them: 1, 2, 3 of a collection, as numbers with `idType`,
 * else as ObjectIds.
 */
export function makeIds(connector: Connector, idType: NumberConstructor | undefined): void {
  const last = new Map<string, number>()
  if (idType !== undefined) connector.getDefaultIdType = () => idType
  const remember = (model: string, id: unknown): void => {
    const number = Number(numberOf(String(id)) ?? id)
    const name = connector.collectionName(model)
    if (Number.isSafeInteger(number)) last.set(name, Math.max(last.get(name) ?? 0, number))
  }
  const next = (model: string): unknown => {
    const number = (last.get(connector.collectionName(model)) ?? 0) + 1
    return idType === undefined ? objectIdOf(number) : number
  }
  const wrap = (create: Create, makes: boolean): Create =>
    function createNext(this: Connector, model, data, options, done) {
      const name = connector.idName(model)
      const id = data[name]
      const isMissing = id === undefined || id === null
      if (makes && isMissing && connector.getPropertyDefinition(model, name)?.generated === true)
        data[name] = next(model)
      remember(model, data[name])
      create.call(this, model, data, options, done)
    }
  connector.create = wrap(connector.create, true)
  connector.updateOrCreate = wrap(connector.updateOrCreate, false)
  connector.replaceOrCreate = wrap(connector.replaceOrCreate, false)
}
