import type { ChangeLog } from '../contract/change-log.ts'
import { isOfModel } from '../model/model-lineage.ts'
import { InvalidDefinition } from '../definition/errors.ts'
import type { ModelType } from '../contract/model-type.ts'

/** The log from which processes read a model's changes; undefined if each process only knows its own. */
export function changeLogOf(model: ModelType | undefined): ChangeLog | undefined {
  if (model?.logsChanges !== true || model.dataSource === undefined) return undefined
  return model.registry.changeLogs.get(model.dataSource.name)
}

/**
 * Throws for logs that nothing would read or purge, and for those of tokens, which would be kept, and sent to others, as
 * long as the log.
 * @throws {InvalidDefinition} a model may not log its changes
 */
export function refuseChangeLogs(models: Iterable<ModelType>, areRead: boolean): void {
  for (const model of models) {
    if (!model.logsChanges) continue
    // LB3: the id of a token is the token.
    if (isOfModel(model, 'AccessToken'))
      throw refused(model, 'the id of an access token is a secret: it cannot be logged')
    if (!areRead && model.dataSource?.connector.changeLog !== undefined)
      throw refused(
        model,
        'the changes of the model are logged, but nothing reads the log: register @modelwire/changes'
      )
  }
}

const refused = ({ name }: ModelType, message: string): InvalidDefinition =>
  new InvalidDefinition(message, { model: name, key: 'changeLog' })
