export { runs, until, takeTime } from './until.ts'
export { type FakeStore, makeFakeStore } from './fake-store.ts'
