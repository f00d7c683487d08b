import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { loopback } from '#src/loopback.ts'
import { callWithCallback } from '#src/juggler/with-callback.ts'

type Callback = (error?: unknown, result?: unknown) => void

const resultOf = async (fn: unknown): Promise<unknown> => {
  const [result] = await callWithCallback(fn as (...args: unknown[]) => unknown, undefined, ['given'])
  return result
}

void t.test('a function is done when it calls back, or returns where it cannot', async (t) => {
  const later = async (callback: Callback): Promise<void> => {
    await setImmediate()
    callback(null, 'called back')
  }
  const bound = function (this: { result: string }, ...all: unknown[]): void {
    const callback = all[1] as Callback // the second argument
    callback(null, this.result)
  }
  const cases: readonly (readonly [title: string, fn: unknown, result: unknown])[] = [
    ['declares no callback, gives a promise', async (_x: string) => 'promised', 'promised'],
    ['declares no callback, gives a value', (_x: string) => 'returned', 'returned'],
    ['declares nothing', () => undefined, undefined],
    [
      'gives a promise before it calls back',
      async (_x: string, callback: Callback) => void later(callback),
      'called back'
    ],
    ['has a rest', (...all: unknown[]) => void later(all[1] as Callback), 'called back'],
    [
      'reads its arguments',
      function () {
        // eslint-disable-next-line prefer-rest-params -- connectors of LoopBack's age do so
        void later(arguments[1] as Callback)
      },
      'called back'
    ],
    ['has a default', (_x: string, callback: Callback = () => {}) => void later(callback), 'called back'],
    ['is bound', bound.bind({ result: 'called back' }), 'called back']
  ]
  for (const [title, fn, result] of cases) t.equal(await resultOf(fn), result, title)
})

void t.test('a promise that fails counts, whoever declares a callback', async (t) => {
  await t.rejects(
    resultOf(async (_x: string, _callback: Callback) => {
      throw new Error('broken')
    }),
    /broken/
  )
})

void t.test('a connector without callbacks is opened, asked and closed', async (t) => {
  const asked: string[] = []
  const note = (name: string) => async (): Promise<void> => void asked.push(name)
  const driver = { name: 'promising', connect: note('connect'), ping: note('ping'), disconnect: note('disconnect') }
  const connector = loopback({
    initialize: async (dataSource: object) => {
      Object.assign(dataSource, { connector: driver })
      return false
    }
  })
  await connector.connect()
  await connector.ping()
  await connector.disconnect()
  t.strictSame(asked, ['connect', 'ping', 'disconnect'])
})

void t.test('a callback that never comes ends with a code where others wait for it', async (t) => {
  const lost = (_callback: Callback): void => {}
  const make = (members: object) => {
    const initialize = (dataSource: object, callback: Callback): void => {
      Object.assign(dataSource, { connector: { name: 'lost', ...members } })
      callback()
    }
    return loopback({ initialize }, { callTimeout: 20 })
  }
  const late = { code: 'CONNECTOR_TIMEOUT', statusCode: 503 }
  await t.rejects(make({ ping: lost }).ping(), late)
  await t.rejects(make({ disconnect: lost }).disconnect(), late)
  const silent = (dataSource: object, _callback: Callback): void =>
    void Object.assign(dataSource, { connector: { name: 'silent', connect: lost } })
  await t.rejects(loopback({ initialize: silent }, { callTimeout: 20 }).connect(), late)
})
