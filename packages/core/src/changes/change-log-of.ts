import type { ChangeLog } from '../contract/change-log.ts'
import { InvalidDefinition } from '../definition/errors.ts'
import type { ModelType } from '../contract/model-type.ts'

/** The log by which processes hear of a model's changes; undefined where each hears of its own ones alone. */
export function changeLogOf(model: ModelType | undefined): ChangeLog | undefined {
  if (model?.logsChanges !== true || model.dataSource === undefined) return undefined
  return model.registry.changeLogs.get(model.dataSource.name)
}

/** @throws {InvalidDefinition} a model logs its changes, and nothing would read or purge them */
export function refuseChangeLogs(models: Iterable<ModelType>, areRead: boolean): void {
  const unread = [...models].find((model) => model.logsChanges && model.dataSource?.connector.changeLog !== undefined)
  if (areRead || unread === undefined) return
  const message = 'the changes of the model are logged, and nothing reads the log: register @modelwire/changes'
  throw new InvalidDefinition(message, { model: unread.name, key: 'changeLog' })
}
