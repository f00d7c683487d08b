import { migrate, type ModelDefinition, planMigration } from '@modelwire/core'
import type { MigrationPlan } from '@modelwire/core/connector'
import { openModels, type SqlCase } from './sql-case.ts'

const id = { type: 'number', id: true, generated: true }
const untouched = { empty: false, migrates: false }

const indexed = (name: string, property: string): ModelDefinition => ({
  name,
  strict: true,
  properties: { id, [property]: { type: 'number', index: true } }
})

const nothing = [{ steps: [], notes: [] }]

/** Tables that several models have, and names that mean more than one thing. */
export const sharedNameCases: readonly SqlCase[] = [
  {
    name: 'an index may be called as a table, or as an index of another one, that is made with it',
    run: async (t, options) => {
      const line = {
        name: 'SqlLine',
        properties: { at: 'number' },
        indexes: { sql_orders: { at: 1 }, sqltwice: { at: -1 } }
      }
      const order = {
        name: 'SqlOrder',
        [options.mappingKey]: { table: 'sql_orders' },
        properties: { at: 'number' },
        indexes: { sqltwice: { at: -1 } }
      }
      for (const empty of [true, false]) {
        const { registry, statements } = await openModels(t, options, [line, order], { empty })
        const types = ['SqlLine', 'SqlOrder'].map((name) => registry.typeOf(name))
        for (const { modelClass } of types) await modelClass.create({ at: 1 })
        statements.length = 0
        await types[0]?.dataSource?.connector.migrate?.(types, { empty: false })
        t.notOk(
          statements.some((statement) => /^(?:create|alter|drop)/i.test(statement)),
          'a second migration finds nothing to do'
        )
      }
    }
  },
  {
    name: 'models that share a table each write it, and none loses what is another one’s',
    run: async (t, options) => {
      const mapping = { [options.mappingKey]: { tableName: 'sql_pet' } }
      const pet = (name: string, properties: object): ModelDefinition => ({
        name,
        strict: true,
        properties: { id, name: { type: 'string', required: true }, ...properties },
        ...mapping
      })
      const dog = pet('SqlDog', { bark: { type: 'string', length: 20, required: true, unique: true } })
      const cat = pet('SqlCat', { purr: { type: 'number', required: true, index: true } })
      const { registry } = await openModels(t, options, [dog, cat])
      t.match(await planMigration(registry), nothing)
      await registry.get('SqlDog').create({ name: 'Rex', bark: 'wow' })
      await registry.get('SqlCat').create({ name: 'Tom', purr: 1 })
      t.match(await planMigration(registry, { models: ['SqlDog'], prune: true }), nothing)
      t.match(await planMigration(registry, { models: ['SqlCat'], prune: true }), nothing)
    }
  },
  {
    name: 'indexes and foreign keys whose names would be one have different names',
    run: async (t, options) => {
      const target: ModelDefinition = { name: 'SqlOwner', strict: true, properties: { id } }
      const relations = { owner: { type: 'belongsTo', model: 'SqlOwner', foreignKey: 'ownerOfThisRecordId' } }
      const owned = (name: string): ModelDefinition => ({
        name,
        strict: true,
        properties: { id, ownerOfThisRecordId: 'number' },
        relations
      })
      const long = 'a'.repeat(48)
      const models = [indexed('sq', 'b_c'), indexed('sq_b', 'c'), target, owned(`${long}Sql1`), owned(`B${long}Sql1`)]
      const { registry } = await openModels(t, options, models, { foreignKeysFromRelations: true })
      t.match(await planMigration(registry), nothing)
      const again = await openModels(t, options, models, { ...untouched, foreignKeysFromRelations: true })
      t.match(await planMigration(again.registry), nothing)
      await migrate(registry, { empty: true })
      t.match(await planMigration(registry), nothing)
    }
  },
  {
    name: 'names of many bytes are cut by no database',
    run: async (t, options) => {
      const name = 'ä'.repeat(28)
      const { registry } = await openModels(t, options, [indexed(name, name)])
      t.match(await planMigration(registry), nothing)
    }
  },
  {
    name: 'two properties with one column are refused at the start',
    run: async (t, options) => {
      const model = { name: 'SqlTwice', strict: true, properties: { id, userId: 'string', userid: 'string' } }
      await t.rejects(openModels(t, options, [model], untouched), { code: 'MODEL_DEFINITION_INVALID' })
    }
  },
  {
    name: 'a column in another case is the model’s where the database sees it so',
    run: async (t, options) => {
      const model = (columnName: string): ModelDefinition => ({
        name: 'SqlCase',
        strict: true,
        properties: { id, title: { type: 'string', length: 20, index: true, [options.mappingKey]: { columnName } } }
      })
      const first = await openModels(t, options, [model('TITLE')])
      await first.registry.get('SqlCase').create({ title: 'kept' })
      const { registry } = await openModels(t, options, [model('title')], untouched)
      const [plan] = await planMigration(registry, { prune: true })
      if (options.mappingKey === 'postgresql') {
        // Which comes last depends on whether indexes are made while others write.
        const kinds = plan?.steps.map(({ kind }) => kind).toSorted()
        t.same(kinds, ['addColumn', 'createIndex', 'dropColumn', 'dropIndex'])
        return
      }
      t.match([plan], nothing)
      t.match(await registry.get('SqlCase').find({ where: { title: 'kept' } }), [{ title: 'kept' }])
    }
  },
  {
    name: 'a foreign key that leads elsewhere now is made anew, one that cannot be made is told',
    run: async (t, options) => {
      const target: ModelDefinition = { name: 'SqlKeeper', strict: true, properties: { id } }
      const whole = { type: 'number', [options.mappingKey]: { dataType: 'INT' } }
      const thing = (foreignKey: string, more: object = {}): ModelDefinition => ({
        name: 'SqlThing',
        strict: true,
        properties: { id, ownerId: whole, buyerId: whole, size: 'number' },
        foreignKeys: { sql_thing_key: { entity: 'SqlKeeper', entityKey: 'id', foreignKey, ...more } }
      })
      await openModels(t, options, [target, thing('ownerId')])
      const planOf = async (model: ModelDefinition): Promise<MigrationPlan | undefined> => {
        const { registry } = await openModels(t, options, [target, model], untouched)
        return (await planMigration(registry))[0]
      }
      const addsKeys = options.mappingKey !== 'sqlite3'
      const cascade = await planOf(thing('ownerId', { onDelete: 'cascade' }))
      t.equal(
        cascade?.notes.some((note) => note.includes('on delete')),
        addsKeys
      )
      const left = await planOf(thing('size'))
      t.same(left?.steps, [])
      t.ok(left?.notes.some((note) => note.includes('sql_thing_key is left out')))
      const moved = await openModels(t, options, [target, thing('buyerId')], { empty: false })
      const [plan] = await planMigration(moved.registry)
      t.same(plan?.steps, [])
      t.equal(plan?.notes.length, addsKeys ? 0 : 1)
    }
  }
]
