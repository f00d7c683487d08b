// `modelwire/check`: what of an application folder runs, without starting it.
export { type Examination, type ExaminationOptions, examineApplication } from './examine-application.ts'
export type { Finding } from './finding.ts'
