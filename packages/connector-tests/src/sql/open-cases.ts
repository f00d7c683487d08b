import type { ModelDefinition } from '@modelwire/core'
import { conditionsOn } from '../conditions.ts'
import { type SqlCase, openModels } from './sql-case.ts'

const open: ModelDefinition = {
  name: 'SqlOpen',
  properties: { id: { type: 'number', id: true, generated: true }, title: 'string' }
}
const strict: ModelDefinition = { ...open, strict: true }

/** What becomes of properties that a model does not declare. */
export const openCases: readonly SqlCase[] = [
  {
    name: 'a model without properties keeps, finds, orders and patches its data',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [{ name: 'SqlNothing' }])
      const Nothing = registry.get('SqlNothing')
      const made = await Nothing.create({ a: 1, b: { c: ['x'] }, label: 'first' })
      await Nothing.create([{ a: 3 }, { a: 2 }])
      t.match((await Nothing.find({ where: { 'b.c': 'x' } }))[0], { a: 1, label: 'first' })
      const ordered = await Nothing.find({ order: 'a DESC', where: { a: { gt: 1 } } })
      t.same(
        ordered.map((each) => each['a']),
        [3, 2]
      )
      await made.patchAttributes({ a: 9, more: true })
      t.match(await Nothing.findById(made['id']), { a: 9, b: { c: ['x'] }, label: 'first', more: true })
      t.equal(await Nothing.count({ more: true }), 1)
    }
  },
  {
    name: 'one statement reads and writes declared and undeclared properties',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options, [open])
      const { collection } = registry.typeOf('SqlOpen')
      await collection?.insert([{ title: 'a', colour: 'red' }])
      await collection?.update(undefined, { title: 'b', size: 2 })
      t.same(await collection?.findById(1), { id: 1, title: 'b', colour: 'red', size: 2 })
      t.equal(statements.length, 3)
    }
  },
  {
    name: 'a table without the column works, and a warning tells what it does not hold',
    run: async (t, options) => {
      await openModels(t, options, [strict])
      const { registry } = await openModels(t, options, [open], { migrates: false })
      const { collection } = registry.typeOf('SqlOpen')
      const warnings: string[] = []
      t.intercept(process, 'emitWarning', { value: (message: string) => warnings.push(message) })
      await collection?.insert([{ title: 'a', colour: 'red' }, { title: 'b' }])
      await collection?.update(undefined, { colour: 'blue' })
      t.same(await collection?.findById(1), { id: 1, title: 'a' })
      t.equal(await collection?.count(conditionsOn(registry.typeOf('SqlOpen')).is('colour', 'eq', 'red')), 0)
      t.match(warnings, [/SqlOpen.*colour/])
      t.equal(warnings.length, 1)
    }
  },
  {
    name: 'a table without the column can refuse what it does not hold, until a migration adds the column',
    run: async (t, options) => {
      await openModels(t, options, [strict])
      const { registry } = await openModels(t, options, [open], { migrates: false, undeclared: 'refuse' })
      const model = registry.typeOf('SqlOpen')
      const refused = { code: 'UNDECLARED_NOT_STORED', statusCode: 422 }
      const Open = registry.get('SqlOpen')
      await t.rejects(Open.create({ title: 'a', colour: 'red' }), refused)
      await t.rejects(Open.updateAll({}, { colour: 'red' }), refused)
      const made = await Open.create({ title: 'a' })
      await t.rejects(made.patchAttributes({ colour: 'red' }), refused)
      await model.dataSource?.connector.migrate?.([model], { empty: false })
      await made.patchAttributes({ colour: 'red' })
      t.match(await Open.find(), [{ title: 'a', colour: 'red' }])
    }
  },
  {
    name: 'the column has the name that the model says, and there is none where it says so',
    run: async (t, options) => {
      const models = [
        { ...open, [options.mappingKey]: { undeclaredColumn: 'rest' } },
        { ...open, name: 'SqlClosed', [options.mappingKey]: { undeclaredColumn: false } }
      ]
      const { registry, statements } = await openModels(t, options, models)
      await registry.typeOf('SqlOpen').collection?.insert([{ colour: 'red' }])
      t.match(statements[0], /rest/)
      await registry.typeOf('SqlClosed').collection?.insert([{ title: 'a', colour: 'red' }])
      t.same(await registry.typeOf('SqlClosed').collection?.find({ order: [], skip: 0 }), [{ id: 1, title: 'a' }])
    }
  },
  {
    name: 'with undeclared "drop" there is no column for them',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options, [open], { undeclared: 'drop' })
      const { collection } = registry.typeOf('SqlOpen')
      await collection?.insert([{ title: 'a', colour: 'red' }])
      t.same(await collection?.findById(1), { id: 1, title: 'a' })
      t.notMatch(statements.join(), /_undeclared/)
    }
  }
]
