import { migrate, planMigration, type DataSourcePlan, type ModelDefinition, type ModelRegistry } from '@modelwire/core'
import { discoveryOf } from '@modelwire/core/connector'
import { openModels, type SqlCase } from './sql-case.ts'

const author: ModelDefinition = {
  name: 'SqlAuthor',
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, name: { type: 'string', unique: true } }
}
const work: ModelDefinition = {
  name: 'SqlWork',
  strict: true,
  properties: {
    id: { type: 'number', id: true, generated: true },
    title: { type: 'string', index: true },
    authorId: 'number'
  },
  foreignKeys: { sql_work_author: { entity: 'SqlAuthor', entityKey: 'id', foreignKey: 'authorId' } }
}
const empty = { empty: true, migrates: false }

async function dropAll(registry: ModelRegistry): Promise<void> {
  await migrate(registry, { empty: true })
}

const kindsOf = ([plan]: readonly DataSourcePlan[]): unknown[] =>
  (plan?.steps ?? []).map(({ kind, model }) => `${kind} ${model ?? ''}`.trim())

/** Plans of migrations, and how they are carried out. */
export const planCases: readonly SqlCase[] = [
  {
    name: 'a plan says each step with its statement, changes nothing, and is carried out step by step',
    run: async (t, options) => {
      const plain = { ...work, foreignKeys: {} }
      const { registry, statements } = await openModels(t, options, [author, plain])
      await registry.get('SqlAuthor').create({ name: 'kept' })
      const grown = { ...plain, properties: { ...plain.properties, pages: { type: 'number', index: true } } }
      const next = await openModels(t, options, [author, grown], empty)
      const plans = await planMigration(next.registry)
      t.match(plans, [{ dataSource: 'db', notes: [] }])
      t.same(kindsOf(plans), ['addColumn SqlWork', 'createIndex SqlWork'])
      const steps = plans[0]?.steps ?? []
      t.match(steps[0]?.statement, /^alter table .*sqlwork.* add column .*pages/i)
      t.notOk(steps.some(({ destructive }) => destructive))
      t.notOk(next.statements.some((statement) => /^(?:create|alter)/i.test(statement)))
      const notes: unknown[] = []
      const done = await migrate(next.registry, {
        plans,
        onStep: ({ kind }, { dataSource, position, total }) => void notes.push([dataSource, kind, position, total])
      })
      t.same(done, plans)
      t.same(notes, [
        ['db', 'addColumn', 1, 2],
        ['db', 'createIndex', 2, 2]
      ])
      t.same(kindsOf(await planMigration(next.registry)), [], 'nothing is left to do')
      t.equal(await registry.get('SqlAuthor').count(), 1)
      t.ok(statements.length > 0)
    }
  },
  {
    name: 'what loses records is marked, and a plan that no longer holds is refused',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [author, work], {})
      const plans = await planMigration(registry, { empty: true })
      const losing = (plans[0]?.steps ?? []).filter(({ destructive }) => destructive).map(({ kind }) => kind)
      t.ok(losing.includes('dropTable'))
      t.equal(await registry.get('SqlAuthor').count(), 0)
      await t.rejects(migrate(registry, { plans }), { code: 'MIGRATION_PLAN_CHANGED', statusCode: 409 })
      const { title: _title, ...fewer } = work.properties ?? {}
      const shrunk = await openModels(t, options, [author, { ...work, properties: fewer }], empty)
      t.same(kindsOf(await planMigration(shrunk.registry)), [], 'columns stay')
      const pruned = await planMigration(shrunk.registry, { prune: true })
      t.match(pruned[0]?.steps, [
        { kind: 'dropIndex', model: 'SqlWork', destructive: false },
        { kind: 'dropColumn', model: 'SqlWork', destructive: true }
      ])
      await migrate(shrunk.registry, { prune: true })
      t.same(kindsOf(await planMigration(shrunk.registry, { prune: true })), [])
    }
  },
  {
    name: 'foreign keys of a model are made, hold, and do not keep tables from being made anew',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [author, work])
      const [Author, Work] = [registry.get('SqlAuthor'), registry.get('SqlWork')]
      const ann = await Author.create({ name: 'Ann' })
      await Work.create({ title: 'a', authorId: ann['id'] })
      const refused = { code: 'CONSTRAINT_VIOLATED', statusCode: 422 }
      await t.rejects(Work.create({ title: 'b', authorId: 99 }), refused)
      await t.rejects(Author.destroyAll(), refused)
      t.same(kindsOf(await planMigration(registry)), [])
      await dropAll(registry)
      t.equal(await Author.count(), 0)
    }
  },
  {
    name: 'belongsTo relations become foreign keys where the data source says so',
    run: async (t, options) => {
      const { foreignKeys: _keys, ...plain } = work
      const related = {
        ...plain,
        relations: { author: { type: 'belongsTo', model: 'SqlAuthor', onDelete: 'cascade' } }
      }
      const { registry } = await openModels(t, options, [author, related], { foreignKeysFromRelations: true })
      const [Author, Work] = [registry.get('SqlAuthor'), registry.get('SqlWork')]
      await t.rejects(Work.create({ authorId: 99 }), { code: 'CONSTRAINT_VIOLATED' })
      const ann = await Author.create({ name: 'Ann' })
      await Work.create({ title: 'a', authorId: ann['id'] })
      await Author.destroyAll()
      t.equal(await Work.count(), 0, 'the database deletes what refers to it')
      await dropAll(registry)
    }
  },
  {
    name: 'tables and columns are in snake_case where the data source says so, unless the model names them',
    run: async (t, options) => {
      const named = { type: 'string', [options.mappingKey]: { columnName: 'inHand' } }
      const lesson: ModelDefinition = {
        name: 'SqlHTTPLesson',
        strict: true,
        properties: {
          id: { type: 'number', id: true, generated: true },
          authorId: { type: 'number', index: true },
          startsAt: 'date',
          address2: 'string',
          inHand: named
        },
        relations: { author: { type: 'belongsTo', model: 'SqlAuthor' } }
      }
      const settings = { naming: 'snake_case', foreignKeysFromRelations: true }
      const { registry } = await openModels(t, options, [author, lesson], settings)
      for (const source of registry.dataSources.values()) {
        const columns = await discoveryOf(source).listColumns('sql_http_lesson', {})
        const names = columns.map(({ columnName }) => columnName).toSorted()
        t.strictSame(names, ['address2', 'author_id', 'id', 'inHand', 'starts_at'])
      }
      const [Author, Lesson] = [registry.get('SqlAuthor'), registry.get('SqlHTTPLesson')]
      const { id: authorId } = await Author.create({ name: 'Ann' })
      const startsAt = new Date('2026-01-02T03:04:05Z')
      const made = await Lesson.create({ authorId, startsAt, address2: 'a', inHand: 'b' })
      const where = { startsAt, address2: 'a', inHand: 'b' }
      t.match(await Lesson.find({ where, order: 'startsAt DESC' }), [{ id: made['id'], authorId, startsAt }])
      t.same(await planMigration(registry), [{ dataSource: 'db', steps: [], notes: [] }])
      await t.rejects(Lesson.create({ authorId: 99 }), { code: 'CONSTRAINT_VIOLATED' })
      await dropAll(registry)
    }
  },
  {
    name: 'foreign keys that are malformed are refused, those to other databases are noted',
    run: async (t, options) => {
      const key = { entity: 'SqlAuthor', foreignKey: 'nobodyId' }
      const wrong = await openModels(t, options, [author, { ...work, foreignKeys: { wrong: key } }], empty)
      await t.rejects(planMigration(wrong.registry), { code: 'MODEL_DEFINITION_INVALID', message: /foreignKeys.wrong/ })
      const hostile = { ...key, foreignKey: 'authorId', onDelete: 'cascade; drop table x' }
      const refused = await openModels(t, options, [author, { ...work, foreignKeys: { hostile } }], empty)
      await t.rejects(planMigration(refused.registry), { code: 'MODEL_DEFINITION_INVALID' })
      const away = { entity: 'Elsewhere', foreignKey: 'authorId' }
      const { registry } = await openModels(t, options, [author, { ...work, foreignKeys: { away } }], empty)
      t.match((await planMigration(registry))[0]?.notes, [/away.*Elsewhere/])
    }
  },
  {
    name: 'a step that the database refuses is told, and the lock is given back',
    run: async (t, options) => {
      const named = { ...author, name: 'SqlNamed' }
      const lax = { ...named, properties: { ...author.properties, name: 'string' } }
      const { registry } = await openModels(t, options, [lax])
      const Named = registry.get('SqlNamed')
      await Named.create([{ name: 'Ann' }, { name: 'Ann' }])
      const unique = await openModels(t, options, [named], empty)
      const failed = { code: 'MIGRATION_FAILED', statusCode: 500, step: { kind: 'createIndex' } }
      await t.rejects(migrate(unique.registry), failed)
      await Named.destroyAll()
      await migrate(unique.registry)
      await t.rejects(Named.create([{ name: 'Ann' }, { name: 'Ann' }]), { code: 'DUPLICATE_KEY' })
    }
  },
  {
    name: 'ids are made as uuid or by an identity column where the model says so',
    run: async (t, options) => {
      const keyed: ModelDefinition = {
        name: 'SqlKeyed',
        properties: { id: { type: 'string', id: true, generated: 'uuid' } }
      }
      const counted: ModelDefinition = {
        name: 'SqlCounted',
        properties: { id: { type: 'number', id: true, generated: 'identity' } }
      }
      const { registry } = await openModels(t, options, [keyed, counted])
      const made = await registry.get('SqlKeyed').create({ a: 1 })
      t.match(made['id'], /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      t.match(await registry.get('SqlKeyed').findById(made['id']), { a: 1 })
      const Counted = registry.get('SqlCounted')
      await Counted.create([{}, {}])
      t.same(
        (await Counted.find()).map(({ id }) => id),
        [1, 2]
      )
      if (options.countsChosenIds === false) return
      await registry.typeOf('SqlCounted').collection?.upsert({ id: 7 })
      t.equal((await Counted.create({}))['id'], 8)
    }
  }
]
