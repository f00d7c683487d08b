import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { LoggedChange } from '@modelwire/core/plugin'

/** The table of a log for tests: what is added to it is a change of a note. */
export const changeModel: ModelDefinition = {
  name: 'LoggedNote',
  properties: { id: { type: 'number', id: true, generated: false }, at: 'date', text: 'string' }
}

/** Makes the table known as the log of the data source `db`. Those who add to it do so one after the other. */
export function readTable(registry: ModelRegistry): void {
  const rows = registry.get('LoggedNote')
  const latest = async (): Promise<string> => String((await rows.findOne({ order: 'id DESC' }))?.['id'] ?? 0)
  registry.changeLogs.set('db', {
    models: new Set([registry.typeOf('Note')]),
    latest,
    heard: latest,
    touch: () => {},
    read: async (after, limit) => {
      const found = await rows.find({ where: { id: { gt: Number(after) } }, order: 'id ASC', limit })
      return found.map(({ id, at, text }): LoggedChange => {
        const note = { id, text }
        return { position: String(id), at: at as Date, change: { model: 'Note', kind: 'create', id, after: note } } // as declared above
      })
    },
    wake: () => () => {}
  })
}
