import { makeModel } from './make-model.ts'
import { makeRelations } from './make-relations.ts'
import type { ApplicationPlan, ModelPlan } from './plan.ts'
import type { Random } from './random.ts'

const names = ['Author', 'Book', 'Note', 'Shop', 'Tag'] as const

const server = {
  'server/config.json': {
    restApiRoot: '/api',
    host: '127.0.0.1',
    port: 0,
    remoting: {
      context: false,
      rest: { handleErrors: false, normalizeHttpPath: false, xml: true },
      json: { strict: false, limit: '100kb' },
      urlencoded: { extended: true, limit: '100kb' },
      cors: false
    }
  },
  'server/datasources.json': {
    db: { name: 'db', connector: 'memory' },
    transient: { name: 'transient', connector: 'transient' }
  },
  'server/middleware.json': {
    routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } },
    final: { 'loopback#urlNotFound': {} },
    'final:after': { 'strong-error-handler': { params: { debug: false, log: false } } }
  }
}

const stamp = `module.exports = function (Model, options) {
  Model.defineProperty(options.name || 'stamped', { type: 'string', default: 'yes' })
}
`

const reset = `module.exports = function (app) {
  app.post('/reset', (req, res) => app.dataSources.db.automigrate((error) => res.status(error ? 500 : 200).end()))
}
`

const fileName = (name: string): string => name.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()

const show = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The files of an application with these models. */
export function writeFiles(
  models: readonly ModelPlan[],
  parts: readonly string[],
  partSource: string
): ApplicationPlan {
  const files: Record<string, string> = {}
  for (const [path, json] of Object.entries(server)) files[path] = show(json)
  for (const { name, json, script } of models) {
    files[`common/models/${fileName(name)}.json`] = show(json)
    if (script !== undefined) files[`common/models/${fileName(name)}.js`] = script
  }
  const config = models.map(({ name }) => [
    name,
    parts.includes(name) ? { dataSource: partSource, public: false } : { dataSource: 'db', public: true }
  ])
  const sources = ['loopback/common/models', 'loopback/server/models', '../common/models', './models']
  const folders = { sources, mixins: ['../common/mixins', './mixins'] }
  files['server/model-config.json'] = show({ ['_meta']: folders, ...Object.fromEntries(config) })
  files['common/mixins/stamp.js'] = stamp
  files['server/boot/reset.js'] = reset
  const nesting = models.flatMap(({ name, nested }) =>
    nested.map((relation) => `  app.models.${name}.nestRemoting('${relation}')\n`)
  )
  if (nesting.length > 0) files['server/boot/nest.js'] = `module.exports = function (app) {\n${nesting.join('')}}\n`
  return { models, files }
}

/** An application folder by chance: two to four models, those between and within them, and their files. */
export function makeApplication(random: Random): ApplicationPlan {
  const chosen = random.some(names, 2, 4)
  const relations = makeRelations(random, chosen)
  const models: ModelPlan[] = []
  for (const name of [...chosen, ...relations.between]) {
    const bases = models.filter((model) => chosen.includes(model.name as (typeof names)[number])) // the model's name is one
    const base = models.length > 0 && random.chance(0.12) ? random.pick(bases) : undefined
    models.push(makeModel(random, { name, relations: relations.of.get(name) ?? [], base }))
  }
  const parts = relations.parts.map((name) => makeModel(random, { name, relations: [], isPart: true }))
  return writeFiles([...models, ...parts], relations.parts, random.pick(['transient', 'db']))
}
