import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Row } from '../contract/row.ts'
import { completeRow } from './complete-row.ts'
import { createBy } from './create.ts'
import { findAnnounced } from './find-matching.ts'
import { withoutId } from './identify.ts'
import { toInstance } from './to-instance.ts'
import { patchInstanceBy } from './update.ts'
import type { Write } from './write-within.ts'

/** LB3: where the connector does no `upsertWithWhere` itself. @see loopback-datasource-juggler, lib/dao.js, upsertWithWhere */
export const findsBeforeUpsert = ({ registry, dataSource }: ModelType): boolean =>
  registry.compat && dataSource?.connector.capabilities.findsBeforeUpsert === true

/** Changes a record that was found in part, or creates one in full, as `patchAttributes` and `create` do. */
export async function changeOrCreate(
  model: ModelType,
  current: Row | undefined,
  given: Row,
  write: Write
): Promise<ModelInstance> {
  if (current === undefined) return createBy(model, given, write)
  return patchInstanceBy(model, toInstance(model, completeRow(model, current)), given, write)
}

/**
 * LB3: where observers of `access` change which record is meant, it is looked for, and changed or created in full. A new one has
 * an id of its own: the one that was sent may be that of a record which the observers hide.
 */
export async function upsertMatching(
  model: ModelType,
  where: unknown,
  given: Row,
  write: Write
): Promise<ModelInstance> {
  const current = await findAnnounced(model, where, write)
  return changeOrCreate(model, current, current === undefined ? withoutId(model, given) : given, write)
}
