"""The assistant's websockets."""

from django.urls import path

from assistant.consumers import ChatConsumer

websocket_urlpatterns = [path("ws/chat/", ChatConsumer.as_asgi())]
