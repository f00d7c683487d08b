import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import * as fc from 'fast-check'
import { openModels, type SqlCase } from './sql-case.ts'

const ledger = (mappingKey: string): ModelDefinition => {
  const amount = { [mappingKey]: { dataType: 'decimal', dataPrecision: 30, dataScale: 10 } }
  return {
    name: 'SqlLedger',
    properties: {
      id: { type: 'number', id: true, generated: true },
      amount: { type: 'number', ...amount },
      exact: { type: 'string', ...amount },
      serial: { type: 'string', [mappingKey]: { dataType: 'bigint' } },
      whole: 'integer'
    }
  }
}

/** Reads a ledger part by part, where the connector can; else whole. */
async function readInParts(registry: ModelRegistry): Promise<void> {
  const { collection } = registry.typeOf('SqlLedger')
  const everything = { order: [], skip: 0 }
  const parts = (await collection?.findInParts?.(everything)) ?? [await collection?.find(everything)]
  for await (const rows of parts) if (rows?.length === 0) break
}

const digits = (max: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[1-9][0-9]{0,${max - 1}}$`))

const rounded = { code: 'NUMBER_NOT_EXACT', statusCode: 422 }

/** Numbers of more digits than JavaScript has, in databases that have them. */
export const exactCases: readonly SqlCase[] = [
  {
    name: 'a text in a column of exact numbers keeps all of its digits',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [ledger(options.mappingKey)])
      const Ledger = registry.get('SqlLedger')
      await fc.assert(
        fc.asyncProperty(digits(20), digits(10), async (whole, fraction) => {
          const exact = `${whole}.${fraction.padStart(10, '0')}`
          const next = `${whole}.${String(BigInt(fraction) - 1n).padStart(10, '0')}`
          await Ledger.destroyAll()
          const { id } = await Ledger.create({ exact })
          const read = async (where: Record<string, unknown>): Promise<unknown> =>
            (await Ledger.findOne({ where }))?.['exact']
          if ((await read({ id })) !== exact) throw new Error('it was changed')
          if ((await read({ exact })) !== exact) throw new Error('it was not found')
          if ((await read({ exact: { inq: [exact, '0'] } })) !== exact) throw new Error('it was not in the list')
          if ((await read({ exact: { gt: next } })) !== exact) throw new Error('it was not greater')
          if ((await read({ exact: next })) !== undefined) throw new Error('its neighbour was found')
        }),
        { numRuns: 40 }
      )
      const { id } = await Ledger.create({ serial: '9223372036854775807' })
      t.match(await Ledger.findById(id), { serial: '9223372036854775807' })
      t.equal(await Ledger.count({ serial: '9223372036854775806' }), 0)
      t.equal(await Ledger.count({ serial: 'x' }), 0)
    }
  },
  {
    name: 'a number that a column of exact numbers would round is refused',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [ledger(options.mappingKey)])
      const Ledger = registry.get('SqlLedger')
      await t.rejects(Ledger.create({ exact: '0.12345678901' }), rounded)
      await t.rejects(Ledger.create({ serial: '1.5' }), rounded)
      await t.rejects(Ledger.create({ exact: 'much' }), { code: 'VALUE_REFUSED', statusCode: 400 })
      await t.rejects(Ledger.create({ amount: 0.123_456_789_012 }), rounded)
      await t.rejects(Ledger.create({ amount: 2 ** 53 }), rounded)
      const { id } = await Ledger.create({ amount: 0.5 })
      await t.rejects(Ledger.updateAll({ id }, { amount: 1e-11 }), rounded)
      t.equal((await Ledger.findById(id))?.['amount'], 0.5)
      const wrong = { code: 'VALIDATION_FAILED', details: { codes: { whole: ['precision'] } } }
      for (const whole of ['9007199254740993', 9_007_199_254_740_992])
        t.match(await Ledger.create({ whole }).catch((error: unknown) => error), wrong)
      await t.rejects(Ledger.create({ amount: '1.00000000000000000001' }), { code: 'VALIDATION_FAILED' })
    }
  },
  {
    name: 'an id that is chosen leaves room for those that are generated',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [ledger(options.mappingKey)])
      const Ledger = registry.get('SqlLedger')
      for (const id of [2 ** 53, Number.MAX_SAFE_INTEGER, 2 ** 52 + 1])
        await t.rejects(async () => registry.typeOf('SqlLedger').collection?.insert([{ id }]), rounded)
      await Ledger.create({ exact: '1' })
      t.equal(await Ledger.count(), 1)
    }
  },
  {
    name: 'a stored number that JavaScript cannot hold is an error, not another number',
    run: async (t, options) => {
      const writer = await openModels(t, options, [ledger(options.mappingKey)])
      const exact = '12345678901234567890.0123456789'
      const { id } = await writer.registry.get('SqlLedger').create({ exact, serial: '9007199254740993' })
      const { properties, ...rest } = ledger(options.mappingKey)
      const asNumber = (name: string): ModelDefinition => ({
        ...rest,
        properties: { id: properties?.['id'], [name]: 'number' }
      })
      for (const name of ['exact', 'serial']) {
        const { registry } = await openModels(t, options, [asNumber(name)], { migrates: false })
        const unreadable = { code: 'NUMBER_NOT_REPRESENTABLE', statusCode: 500 }
        const Ledger = registry.get('SqlLedger')
        await t.rejects(Ledger.findById(id), unreadable)
        await t.rejects(Ledger.find({ where: { id } }), unreadable)
        // Each gives back what it holds.
        for (let round = 0; round < 12; round++) await t.rejects(readInParts(registry), unreadable)
        await t.rejects(
          registry.transaction(() => Ledger.find()),
          unreadable
        )
      }
    }
  }
]
