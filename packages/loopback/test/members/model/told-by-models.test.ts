import t from 'tap'
import { bootApp } from '../../make-app.ts'

/** What a boot script leaves in the setting `found`. */
async function find(t: Parameters<typeof bootApp>[0], script: string): Promise<unknown> {
  const app = await bootApp(t, {
    'server/boot/a.js': `module.exports = async app => {
      const { Thing } = app.models
      ${script}
    }`
  })
  return app.loopback.get('found')
}

// LoopBack 3.28 tells the same.
t.test('the model and the application tell of remote methods that are added and disabled', async (t) => {
  const found = await find(
    t,
    `const found = []
     for (const [name, emitter] of [['model', Thing], ['app', app]])
       for (const event of ['remoteMethodAdded', 'remoteMethodDisabled'])
         emitter.on(event, (sharedClass, method) => found.push([name, event, sharedClass === Thing.sharedClass, method]))
     Thing.greet = cb => cb()
     Thing.remoteMethod('greet', {})
     Thing.disableRemoteMethodByName('findOne')
     Thing.disableRemoteMethod('updateAttributes', false)
     app.set('found', found)`
  )
  t.strictSame(found, [
    ['model', 'remoteMethodAdded', true, undefined],
    ['app', 'remoteMethodAdded', true, undefined],
    ['model', 'remoteMethodDisabled', true, 'findOne'],
    ['app', 'remoteMethodDisabled', true, 'findOne'],
    ['model', 'remoteMethodDisabled', true, 'prototype.updateAttributes'],
    ['app', 'remoteMethodDisabled', true, 'prototype.updateAttributes']
  ])
})

// LoopBack 3.28 leaves the same.
t.test('a write that is refused leaves its reasons in errors of the record', async (t) => {
  const found = await find(
    t,
    `Thing.validatesLengthOf('label', { max: 3, message: { max: 'too long' } })
     const thing = new Thing({ label: 'long' })
     const save = () => thing.save().catch(() => {})
     await save()
     const found = [thing.errors.label, thing.errors.codes.label]
     thing.label = 'ok'
     await save()
     found.push(thing.errors)
     await thing.patchAttributes({ label: 'again' }).catch(() => {})
     found.push(thing.errors.label)
     app.set('found', found)`
  )
  t.strictSame(found, [['too long'], ['length.max'], false, ['too long']])
})

// LoopBack 3.28 hands over the same.
t.test('options of a call without a token have null for it', async (t) => {
  const app = await bootApp(t, {
    'common/models/thing.js': `module.exports = Thing => {
      Thing.show = (options, cb) => cb(null, [options.accessToken === null, Thing.createOptionsFromRemotingContext({}).accessToken])
      Thing.remoteMethod('show', {
        accepts: { arg: 'options', type: 'object', http: 'optionsFromRequest' }, returns: { arg: 'shown', type: 'any' }, http: { verb: 'get' }
      })
    }`
  })
  t.strictSame((await app.inject('/api/Things/show')).json(), { shown: [true, null] })
})
