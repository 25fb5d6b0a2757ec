/** Tasks by name, which run at a time or repeatedly. Methods return a value or a promise. */
import { DurableObject } from 'cloudflare:workers';

interface Task {
  name: string;
  at: number;
  every?: number;
}

export class Scheduler extends DurableObject<Env> {
  async schedule(name: string, at: number, every?: number): Promise<Task> {
    const task: Task = { name, at, ...(every && { every }) };
    this.ctx.storage.kv.put(`task:${at}:${name}`, task);
    const alarm = await this.ctx.storage.getAlarm();
    if (alarm === null || at < alarm) await this.ctx.storage.setAlarm(at);
    return task;
  }

  tasks(): Task[] {
    return [...this.ctx.storage.kv.list<Task>({ prefix: 'task:' })].map(([, task]) => task);
  }

  async ask(name: string): Promise<Response> {
    return fetch(`https://tasks.example/${name}`);
  }

  async forward(request: Request): Promise<Response> {
    const response = fetch(request);
    return response;
  }

  async *due(now: number): AsyncGenerator<Task> {
    for (const task of this.tasks()) if (task.at <= now) yield task;
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    for await (const task of this.due(now)) {
      this.ctx.storage.kv.delete(`task:${task.at}:${task.name}`);
      await this.ask(task.name);
      if (task.every) await this.schedule(task.name, now + task.every, task.every);
    }
  }

  async reset(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
