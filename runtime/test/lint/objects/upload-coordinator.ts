/** A multipart upload to R2. The storage has its parts until the upload is complete. */
import { DurableObject } from 'cloudflare:workers';

interface Bindings {
  BUCKET: R2Bucket;
}

export class UploadCoordinator extends DurableObject<Bindings> {
  private uploadId: string | undefined;
  private parts: R2UploadedPart[] = [];

  constructor(
    private readonly state: DurableObjectState,
    env: Bindings,
  ) {
    super(state, env);
    const { kv } = state.storage;
    this.uploadId = kv.get<string>('uploadId');
    this.parts = kv.get<R2UploadedPart[]>('parts') ?? [];
  }

  async begin(key: string): Promise<string> {
    const upload = await this.env.BUCKET.createMultipartUpload(key);
    this.uploadId = upload.uploadId;
    this.state.storage.kv.put('uploadId', upload.uploadId);
    return upload.uploadId;
  }

  async part(key: string, number: number, body: ArrayBuffer): Promise<void> {
    const upload = this.env.BUCKET.resumeMultipartUpload(key, this.uploadId!);
    this.parts.push(await upload.uploadPart(number, body));
    this.state.storage.kv.put('parts', this.parts);
  }

  async complete(key: string): Promise<number> {
    const upload = this.env.BUCKET.resumeMultipartUpload(key, this.uploadId!);
    const { size } = await upload.complete(this.parts);
    await this.state.storage.deleteAll();
    this.parts = [];
    this.uploadId = undefined;
    return size;
  }
}
