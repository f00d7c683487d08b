// Runs in an empty project that has only the published form of these packages: serves a TypeBox model as a user would.
import assert from 'node:assert/strict'
import memory from '@modelwire/connector-memory'
import modelwire, { defineModel } from '@modelwire/core'
import relations, { toMany } from '@modelwire/relations'
import rest from '@modelwire/rest'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'

const Product = defineModel('Product', Type.Object({ name: Type.String(), price: Type.Number() }), {
  public: true,
  relations: { reviews: { type: 'hasMany', model: 'Review' } }
})
const Review = defineModel('Review', Type.Object({ stars: Type.Number() }))
const app = Fastify()
app.register(modelwire, { dataSources: { db: memory() }, models: { Product, Review } })
app.register(relations)
app.register(rest, { prefix: '/api' })

const created = await app.inject({ method: 'POST', url: '/api/Products', payload: { name: 'Lamp', price: 12.5 } })
assert.deepEqual([created.statusCode, created.json()], [200, { name: 'Lamp', price: 12.5, id: 1 }])
const found = await app.inject('/api/Products?filter={"where":{"price":{"gt":10}},"fields":["name"]}')
assert.deepEqual(found.json(), [{ name: 'Lamp' }])
assert.equal(await app.models.Product.count({ price: { lt: 10 } }), 0)
const refused = await app.inject({ method: 'POST', url: '/api/Products', payload: { price: 'free' } })
assert.equal(refused.statusCode, 422)
const reviewed = await app.inject({ method: 'POST', url: '/api/Products/1/reviews', payload: { stars: 5 } })
assert.deepEqual(reviewed.json(), { stars: 5, id: 1, productId: 1 })
const included = await app.inject('/api/Products/1?filter={"include":"reviews"}')
assert.deepEqual(included.json().reviews, [{ stars: 5, id: 1, productId: 1 }])
assert.equal(await toMany(await app.models.Product.findById(1), 'reviews', app.models.Review).count(), 1)
await app.close()
console.log(`ok   packed packages serve a model on Node ${process.version}`)
