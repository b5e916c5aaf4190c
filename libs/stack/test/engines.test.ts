import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMongo } from '@sumlock/stack/engines/mongo'
import { startEngines } from '@sumlock/stack/engines'
import type { Engines } from '@sumlock/stack/engines'
import { freePorts } from '@sumlock/stack/ports'
import { silent } from '@sumlock/stack/progress'
import { databaseUrl, provision } from '@sumlock/stack/provision'
import { Kafka, logLevel } from 'kafkajs'
import mongoose from 'mongoose'

const connect = (url: string) =>
  mongoose.createConnection(url, { serverSelectionTimeoutMS: 10_000 }).asPromise()
