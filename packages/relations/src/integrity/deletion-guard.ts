import { type Row, keyText, type ModelType } from '@modelwire/core/connector'
import { asServer, type Call, InvalidRelation, KeySet, repository, type ResolvedRelation } from '@modelwire/core/plugin'
import { DeletionRestricted } from '../errors.ts'

type DeletionGuard = ModelType['deletionGuards'][number]

/** Records that refer to others by a key. */
interface Dependents {
  /** The model whose records are deleted. */
  readonly parent: ModelType
  readonly parentKey: string
  /** The model that contains the key. */
  readonly model: ModelType
  readonly property: string
  readonly discriminator: ResolvedRelation['discriminator']
}

/** Records that are being deleted further up, so that circles of records end. */
const deleting: unique symbol = Symbol('records that are being deleted')

function dependentsOf(relation: ResolvedRelation): Dependents | undefined {
  const { from, to, keyFrom, keyTo, through, discriminator, embeds, holdsKey } = relation
  if (through !== undefined)
    return { parent: from, parentKey: keyFrom, model: through.model, property: through.keyFrom, discriminator }
  if (to === undefined || embeds || holdsKey === 'list') return undefined
  if (holdsKey === 'one')
    return { parent: to, parentKey: keyTo, model: from, property: keyFrom, discriminator: undefined }
  return { parent: from, parentKey: keyFrom, model: to, property: keyTo, discriminator }
}

function whereOf({ parentKey, property, discriminator }: Dependents, rows: readonly Row[]): Row {
  const keys = rows.map((row) => row[parentKey]).filter((key) => key !== null && key !== undefined)
  const where: Row = { [property]: new KeySet(keys) }
  return discriminator?.value === undefined ? where : { ...where, [discriminator.property]: discriminator.value }
}

/** A call that the server makes to delete or update the dependents of deleted records. */
interface Deleting extends Call {
  readonly [deleting]?: ReadonlySet<string>
}

const pathOf = (call: Deleting): ReadonlySet<string> => call[deleting] ?? new Set<string>()

function nameOf(model: ModelType, row: Row): string {
  return `${model.name} ${keyText(repository.idOf(model, row)) ?? ''}`
}

/** The call for what depends on `rows`: they are on their way already. */
function below(call: Deleting, model: ModelType, rows: readonly Row[]): Deleting {
  return { ...asServer(call), [deleting]: new Set([...pathOf(call), ...rows.map((row) => nameOf(model, row))]) }
}

async function findDependents(dependents: Dependents, rows: readonly Row[], call: Call): Promise<Row[]> {
  const { model } = dependents
  const found = await repository.find(model, { where: whereOf(dependents, rows) }, asServer(call))
  const path = pathOf(call)
  return found.filter((row) => !path.has(nameOf(model, row)))
}

function restrict(dependents: Dependents, { from, name }: ResolvedRelation): DeletionGuard {
  return {
    check: async (rows, call) => {
      const [one] = await findDependents(dependents, rows, below(call, dependents.parent, rows))
      if (one !== undefined)
        throw new DeletionRestricted(`a ${dependents.model.name} still refers to it (${from.name}.${name})`)
    },
    apply: async () => {}
  }
}

function cascade(dependents: Dependents): DeletionGuard {
  const { model, parent } = dependents
  return {
    check: async (rows, call) => {
      if (model.deletionGuards.length === 0) return
      const further = below(call, parent, rows)
      const found = await findDependents(dependents, rows, further)
      if (found.length > 0) for (const guard of model.deletionGuards) await guard.check(found, further)
    },
    apply: async (rows, call) => {
      const further = below(call, parent, rows)
      const ids = (await findDependents(dependents, rows, further)).map((row) => repository.idOf(model, row))
      if (ids.length > 0)
        await repository.destroyAll(model, { [model.idProperty?.name ?? 'id']: new KeySet(ids) }, further)
    }
  }
}

function setNull(dependents: Dependents, { from, name }: ResolvedRelation): DeletionGuard {
  const { model, property } = dependents
  if (model.byName.get(property)?.nullable === false)
    throw new InvalidRelation(`onDelete cannot set ${model.name}.${property} to null: it is not nullable`, {
      model: from.name,
      key: `relations.${name}.onDelete`
    })
  return {
    check: async () => {},
    apply: async (rows, call) => {
      await repository.updateAll(model, whereOf(dependents, rows), { [property]: null }, asServer(call))
    }
  }
}

const makers = { restrict, cascade, setNull }

/**
 * Guards the records that refer to others by this relation, when those are deleted.
 * @throws {InvalidRelation} no record of its own refers to others by a relation of this kind
 */
export function guardDeletions(relation: ResolvedRelation): void {
  const { settings, from, name } = relation
  if (settings.onDelete === undefined) return
  const dependents = dependentsOf(relation)
  if (dependents === undefined)
    throw new InvalidRelation('onDelete needs a foreign key from one model to another', {
      model: from.name,
      key: `relations.${name}.onDelete`
    })
  const guard = makers[settings.onDelete](dependents, relation)
  dependents.parent.deletionGuards.push(guard)
}
