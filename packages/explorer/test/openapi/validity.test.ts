import type { ModelDefinition } from '@modelwire/core'
import { compileErrors, validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { openApiDocument } from '#src/index.ts'
import { cellar, makeApp } from '../make-app.ts'

const types = ['string', 'number', 'boolean', 'date', 'object', 'any', 'array', ['string'], ['Wine'], 'Wine', 'file']
const sources = ['query', 'form', 'header', 'path', 'body', undefined]

/** A method for each type and source of an argument. */
function everyMethod(): Record<string, Record<string, unknown>> {
  const pairs = types.flatMap((type) => sources.map((source) => [type, source] as const))
  return Object.fromEntries(
    pairs.map(([type, source], index) => [
      `m${index}`,
      {
        accepts: { arg: 'v', type, ...(source === undefined ? {} : { http: { source } }) },
        returns: { arg: 'r', type, root: index % 2 === 0 },
        http: { verb: index % 3 === 0 ? 'get' : 'post', path: `/m${index}${source === 'path' ? '/:v' : ''}` }
      }
    ])
  )
}

const odd: ModelDefinition[] = [
  {
    name: 'Odd',
    public: true,
    properties: {
      text: { type: 'string', length: '12' },
      nested: { street: 'string', inner: { x: { type: 'number', required: true } } },
      list: [{ a: 'string' }],
      point: { type: 'geopoint', default: { lat: 1, lng: 2 } },
      bytes: 'buffer',
      wine: 'Wine',
      example: { type: 'string', example: 'x', default: null }
    },
    methods: { ...everyMethod(), 'prototype.part': { http: { verb: 'get', path: '/part/:piece' } } }
  },
  {
    name: 'Author',
    public: true,
    properties: { name: 'string' },
    scopes: { famous: { where: { name: 'A' } } },
    relations: {
      wines: { type: 'hasMany', model: 'Wine', foreignKey: 'authorId', options: { nestRemoting: true } },
      first: { type: 'hasOne', model: 'Wine', foreignKey: 'firstId' },
      friends: { type: 'hasAndBelongsToMany', model: 'Author' },
      home: { type: 'embedsOne', model: 'Home' },
      homes: { type: 'embedsMany', model: 'Home' },
      favourites: { type: 'referencesMany', model: 'Wine' }
    }
  },
  { name: 'Home', public: false, properties: { id: { type: 'number', id: true }, city: 'string' } }
]

t.test('documents of all types, arguments and relations are valid', async (t) => {
  const app = await makeApp(t, [...cellar, ...odd], { guarded: true })
  const text = JSON.stringify(openApiDocument(app))
  t.match(await new Validator().validate(JSON.parse(text) as Record<string, unknown>), { valid: true })
  const judged = await validate(JSON.parse(text) as Parameters<typeof validate>[0])
  t.equal(judged.valid, true, judged.valid ? '' : compileErrors(judged))
})
