"""The distributed store: OpenSearch behind the same contract as the embedded one."""
