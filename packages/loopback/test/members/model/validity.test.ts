import t, { type Test } from 'tap'
import { bootApp } from '../../make-app.ts'

type Callback = (valid: boolean) => void
interface Loose {
  errors?: false | (Record<string, string[]> & { codes: object })
  isValid: (callback?: Callback) => boolean | undefined
}

async function makeThing(t: Test, rules: string): Promise<new (data: object) => Loose> {
  const server = await bootApp(t, {
    'common/models/thing.json': { name: 'Thing', properties: { label: { type: 'string', required: true } } },
    'common/models/thing.js': `module.exports = Thing => { ${rules} }`
  })
  return server.models.get('Thing') as unknown as new (data: object) => Loose
}

const slow = `Thing.validateAsync('label', function (err, done) {
  setImmediate(() => { if (this.label === 'bad') err(); done() })
}, { message: 'is bad' })`

void t.test('answers at once and calls back before, where no rule waits', async (t) => {
  const Thing = await makeThing(t, '')
  const [good, bad] = [new Thing({ label: 'x' }), new Thing({})]
  const called: boolean[] = []
  t.equal(
    good.isValid((valid) => called.push(valid)),
    true
  )
  t.equal(
    bad.isValid((valid) => called.push(valid)),
    false
  )
  t.strictSame(called, [true, false])
  t.equal(good.errors, false)
  t.strictSame({ ...bad.errors }, { label: ["can't be blank"] })
  t.strictSame(bad.errors !== false && bad.errors?.codes, { label: ['presence'] })
  t.strictSame(Object.keys(bad), Object.keys(new Thing({})), 'errors are no part of the record')
})

void t.test('gives undefined and calls back later where a rule waits', async (t) => {
  const Thing = await makeThing(t, slow)
  const thing = new Thing({ label: 'bad' })
  const valid = await new Promise((resolve) => {
    t.equal(thing.isValid(resolve), undefined)
  })
  t.equal(valid, false)
  t.strictSame({ ...thing.errors }, { label: ['is bad'] })
  t.equal(await new Promise((resolve) => void new Thing({ label: 'good' }).isValid(resolve)), true)
})

void t.test('a rule that fails makes the record invalid', async (t) => {
  const Thing = await makeThing(t, "Thing.validateAsync('label', async () => { throw new Error('out of order') })")
  const thing = new Thing({ label: 'x' })
  t.equal(await new Promise((resolve) => void thing.isValid(resolve)), false)
  t.strictSame({ ...thing.errors }, { base: ['out of order'] })
})
