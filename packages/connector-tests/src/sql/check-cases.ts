import { type ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { Test } from 'tap'
import type { SqlCase, SqlTestsOptions } from './sql-case.ts'

const checks = {
  leavesAfter: { where: { leaves: { gt: { property: 'arrives' } } } },
  closesLater: { where: { closes: { gte: { property: 'opens' } } } },
  known: {
    where: {
      or: [
        { state: 'open' },
        { state: { eq: "it's closed" }, code: { neq: null } },
        { state: { gt: { property: 'code' } } }
      ]
    },
    message: 'must be known'
  }
}

const stay: ModelDefinition = {
  name: 'SqlStay',
  strict: true,
  properties: {
    id: { type: 'number', id: true, generated: true },
    arrives: { type: 'number', required: true },
    leaves: 'number',
    opens: 'date',
    closes: 'date',
    code: 'string',
    state: 'string'
  },
  checks
}

const changed: ModelDefinition = {
  ...stay,
  checks: { ...checks, leavesAfter: { where: { leaves: { gte: { property: 'arrives' } } } } }
}

async function open(t: Test, { create }: SqlTestsOptions, definition = stay, empty = true) {
  const registry = new ModelRegistry()
  const connector = create({})
  registry.addDataSource('db', connector)
  registry.define(definition)
  registry.attach(definition.name, 'db')
  t.teardown(() => registry.disconnect())
  await registry.connect()
  const models = [registry.typeOf(definition.name)]
  await connector.migrate?.(models, { empty })
  const plan = async () => (await connector.planMigration?.(models, { empty: false }))?.steps
  return { Stay: registry.get(definition.name), plan, collection: models[0]?.collection }
}

/** What the refusal of a statement says; undefined where it is not refused. */
async function refusal(ending: unknown): Promise<unknown> {
  const end = await Promise.resolve(ending).then(
    () => undefined,
    (error: unknown) => error
  )
  return end instanceof Error && 'details' in end ? end.details : end
}

const violates = (property: string, name: string, message: string): object => ({
  codes: { [property]: [`check.${name}`] },
  messages: { [property]: [message] }
})

/** Rules across the properties of a record. */
export const checkCases: readonly SqlCase[] = [
  {
    name: 'a check of a model is a constraint of its table, whose violation is the error of the rule',
    run: async (t, options) => {
      const { collection, plan } = await open(t, options)
      const insert = async (row: object) => collection?.insert([{ ...row }])
      t.match(
        await refusal(insert({ arrives: 5, leaves: 5 })),
        violates('leaves', 'leavesAfter', 'must be greater than arrives')
      )
      const [opens, closes] = [new Date('2024-05-02T00:00:00Z'), new Date('2024-05-01T00:00:00Z')]
      t.match(
        await refusal(insert({ arrives: 1, opens, closes })),
        violates('closes', 'closesLater', 'must be at least opens')
      )
      t.match(await refusal(insert({ arrives: 1, state: 'b', code: 'c' })), violates('state', 'known', 'must be known'))
      await insert({ arrives: 1, leaves: 2, opens: closes, closes: opens, state: "it's closed", code: 'z' })
      await insert({ arrives: 1 })
      await insert({ arrives: 1, state: 'c', code: 'b' })
      t.strictSame(await plan(), [], 'nothing is left to migrate')
    }
  },
  {
    name: 'changes that violate a check only together are refused',
    run: async (t, options) => {
      const [one, other] = [await open(t, options), await open(t, options, stay, false)]
      for (let round = 0; round < 10; round++) {
        const { id } = await one.Stay.create({ arrives: 1, leaves: 10 })
        const ends = await Promise.allSettled([
          one.Stay.updateAll({ id }, { arrives: 8 }),
          other.Stay.updateAll({ id }, { leaves: 5 })
        ])
        t.equal(ends.filter(({ status }) => status === 'rejected').length, 1)
        t.match(ends.find((end) => end.status === 'rejected')?.reason, { statusCode: 422 })
      }
    }
  },
  {
    name: 'a check that a model gained or changed is added to its table',
    run: async (t, options) => {
      const { checks: _checks, ...without } = stay
      const before = await open(t, options, without)
      await before.Stay.create({ arrives: 1, leaves: 2 })
      for (const [definition, value] of [
        [stay, 5],
        [changed, 4]
      ] as const) {
        const { collection, plan } = await open(t, options, definition, false)
        t.strictSame(await plan(), [])
        if (options.makesChecks === false) continue
        t.ok(await refusal(collection?.insert([{ arrives: 5, leaves: value }])))
        if (definition === changed) await collection?.insert([{ arrives: 5, leaves: 5 }])
      }
    }
  }
]
