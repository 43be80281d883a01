"""How well memories are recalled: everyday utterances of three people, and questions on them."""
