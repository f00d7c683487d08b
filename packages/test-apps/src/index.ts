export { bootApp, type Files, makeFolder, notesOf, refusal, usualFiles } from './make-app.ts'
