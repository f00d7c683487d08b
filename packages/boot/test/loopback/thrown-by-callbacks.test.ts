import t from 'tap'
import { bootApp } from '../make-app.ts'
import { filesOf } from './answers.ts'

// LB3: `create` and `save` call back before they return where a record is invalid, so that whoever runs the script catches what the
// callback throws. What is thrown later ends LoopBack's process; here it fails the call.
const make = 'Cat.create({}, (error) => { if (error) throw error })'
const script = `module.exports = (Cat) => {
  const method = (name, fn) => {
    Cat[name] = fn
    Cat.remoteMethod(name, { http: { verb: 'get' }, returns: { arg: 'r', type: 'any' } })
  }
  method('creates', (cb) => { ${make} })
  method('saves', (cb) => { new Cat().save((error) => { if (error) throw error }) })
  method('finds', (cb) => { Cat.find({}, () => { throw Object.assign(new Error('found'), { statusCode: 418 }) }) })
  method('answers', (cb) => { cb(null, 1); ${make} })
  method('observed', (cb) => { Cat.app.models.Dog.create({}, cb) })
  Cat.beforeRemote('count', (ctx, unused, next) => { ${make} })
  Cat.beforeRemote('exists', (ctx, unused, next) => { next(); ${make} })
}`
const models = {
  Cat: { file: { properties: { name: { type: 'string', required: true } } }, script },
  Dog: {
    script: `module.exports = (Dog) => {
      Dog.observe('before save', (ctx, next) => { const { Cat } = Dog.app.models; ${make} })
    }`
  }
}
const routes = `module.exports = (app) => {
  const { Cat } = app.models
  app.get('/creates', (req, res) => { ${make} })
  app.get('/answers', (req, res) => { res.json(1); ${make} })
  app.use('/passes', (req, res, next) => { next(); ${make} })
  app.get('/passes', (req, res) => { res.json(2) })
}`

t.test('what a callback throws fails the request that it belongs to, and never the process', async (t) => {
  const server = await bootApp(t, { ...filesOf(models), 'server/boot/routes.js': routes })
  const answers: [string, number, unknown?][] = [
    ['/api/Cats/creates', 422],
    ['/api/Cats/saves', 422],
    ['/api/Cats/finds', 418],
    ['/api/Cats/answers', 200, { r: 1 }],
    ['/api/Cats/observed', 422],
    ['/api/Cats/count', 422],
    ['/api/Cats/1/exists', 200, { exists: false }],
    ['/creates', 422],
    ['/answers', 200, 1],
    ['/passes', 200, 2]
  ]
  for (const [url, status, body] of answers) {
    const answer = await server.inject({ url })
    t.equal(answer.statusCode, status, `${url}: ${answer.body}`)
    if (body !== undefined) t.same(answer.json(), body, url)
  }
})

t.test('what a callback throws in a boot script stops the start', async (t) => {
  const boot = `module.exports = (app, done) => { const { Cat } = app.models; ${make} }`
  await t.rejects(bootApp(t, { ...filesOf(models), 'server/boot/seed.js': boot }), { cause: { statusCode: 422 } })
})
