import t from 'tap'
import { answersAsLoopback } from './answers.ts'

t.test('a model between that is defined belongs to both sides of hasAndBelongsToMany', async (t) => {
  const tasks = { type: 'hasAndBelongsToMany', model: 'Task', through: 'GroupTask' }
  const models = { Group: { file: { relations: { tasks } } }, Task: {}, GroupTask: {} }
  await answersAsLoopback(t, models, [
    ['POST /Groups {"name":"a"}', 200],
    ['POST /Groups/1/tasks {"title":"b"}', 200, { title: 'b', id: 1 }],
    ['GET /GroupTasks/1', 200, { id: 1, groupId: 1, taskId: 1 }],
    ['GET /GroupTasks/1/task', 200, { title: 'b', id: 1 }],
    ['GET /GroupTasks/1?filter={"include":"group"}', 200, { id: 1, groupId: 1, taskId: 1, group: { name: 'a', id: 1 } }]
  ])
})

t.test('a keyThrough that is no key of the model between to the other side counts for nothing', async (t) => {
  const visits = { type: 'hasMany', model: 'Visit', foreignKey: 'ProductId', through: 'Link', keyThrough: 'ProductId' }
  const product = { type: 'belongsTo', model: 'Product', foreignKey: 'ProductId' }
  const visit = { type: 'belongsTo', model: 'Visit', foreignKey: 'VisitId' }
  const models = {
    Product: { file: { relations: { visits } } },
    Visit: {},
    Link: { file: { relations: { product, visit } } }
  }
  await answersAsLoopback(t, models, [
    ['POST /Products {"name":"a"}', 200],
    ['POST /Visits {"at":"x"}', 200],
    ['POST /Products/1/visits {"at":"b"}', 200, { at: 'b', id: 2 }],
    ['GET /Links', 200, [{ id: 1, ProductId: 1, VisitId: 2 }]],
    ['GET /Products/1/visits', 200, [{ at: 'b', id: 2 }]]
  ])
})
