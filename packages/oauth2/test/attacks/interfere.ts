import type { FastifyInstance } from 'fastify'

/** Does something in the middle of the next change of a model. */
export function once(app: FastifyInstance, model: string, act: () => Promise<void>): void {
  let isDone = false
  app.models.get(model).observe('before save', async () => {
    if (isDone) return
    isDone = true
    await act()
  })
}

/** Lets the next change of a model fail. */
export function failOnce(app: FastifyInstance, model: string): void {
  once(app, model, () => Promise.reject(new Error('the disk is full')))
}
